/** A bug here offers a rule that the server refuses, or one that a person reads as something narrower. */
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { allowsByItself } from '../../../src/core/rules/match-rule.ts';
import { ruleProblem } from '../../../src/core/rules/make-rule.ts';
import type { JsonObject } from '../../../src/protocol/json.ts';
import { suggestRules } from '../../../src/web/model/cards/rule-offers.ts';

const patterns = (toolName: string, input: JsonObject) =>
  suggestRules(toolName, input).map(({ pattern }) => pattern);

it.each<[string, JsonObject, string[]]>([
  ['Bash', { command: 'npm test -- x' }, ['npm test …']],
  ['Bash', { command: 'make -j8' }, []],
  ['Bash', { command: 'make test' }, ['make test …']],
  ['Bash', { command: 'uv run pytest -q' }, ['uv run pytest …']],
  ['Bash', { command: 'uv run' }, []],
  ['Bash', { command: './build.sh' }, []],
  ['Bash', { command: 'ls src' }, ['ls src …', 'ls …']],
  ['Bash', { command: `git commit -m 'a; b'` }, ['git commit …']],
  ['Bash', { command: 'npm test && rm x' }, []],
  ['Bash', { command: 'sudo rm x' }, ['sudo rm …']],
  ['Bash', { command: 'echo $X' }, []],
  ['Edit', { file_path: '/app/src/a.ts' }, ['/app/src/**']],
  ['Edit', { file_path: '../a.ts' }, []],
  ['WebFetch', { url: 'https://api.example.org/a' }, ['api.example.org']],
  ['WebFetch', { url: 'https://user@example.org/a' }, []],
  ['Task', { command: 'npm test', path: 'a/b' }, []],
])('[APR-3] suggests for %s %j: %j', (toolName, input, expected) => {
  expect(patterns(toolName, input)).toEqual(expected);
});

const text = fc
  .array(
    fc.constantFrom(
      'npm',
      'npm ',
      'uv run ',
      'timeout 5 ',
      'ls ',
      'test',
      'a/b',
      '/',
      '..',
      '.x',
      ' ',
      "'",
      '"',
      '$',
      ';',
      '\\',
      '*',
      'https://',
      'a.org',
      '@',
      '-f',
    ),
    {
      maxLength: 8,
    },
  )
  .map((parts) => parts.join(''));

const FIELDS = new Map([
  ['Bash', 'command'],
  ['WebFetch', 'url'],
]);

it('[APR-3] suggests nothing that the server would refuse for this input', () => {
  fc.assert(
    fc.property(fc.constantFrom('Bash', 'Edit', 'Read', 'WebFetch'), text, (toolName, value) => {
      const own = FIELDS.get(toolName) ?? 'file_path';
      const shown = { [own]: value };
      for (const { rule } of suggestRules(toolName, shown)) {
        const made = { ...rule, toolName, effect: 'allow' as const };
        expect(ruleProblem(made)).toBeUndefined();
        const stored = { ...made, id: 'r', createdAt: 0, createdBy: 'ann' };
        expect(allowsByItself(stored, { toolName, input: shown })).toBe(true);
      }
    }),
    { numRuns: 3_000 },
  );
});
