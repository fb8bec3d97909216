/** A bug here looks like a command that the shell runs and the list does not have, without a doubt. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseCommand } from '../../../src/core/rules/parse-command.ts';
import { lowestCpuMs } from '../../support/cpu-time.ts';
import { LIMITS } from '../../../src/protocol/limits.ts';

function texts(command: string): string[] {
  return parseCommand(command).commands.map((words) => words.map(({ text }) => text).join(' '));
}

describe('what is understood', () => {
  it.each<[string, string[]]>([
    ['npm test', ['npm test']],
    ['  npm   test\t-- x  ', ['npm test -- x']],
    ['npm test && npm run lint', ['npm test', 'npm run lint']],
    ['a || b; c | d', ['a', 'b', 'c', 'd']],
    ['a;\n\n b;', ['a', 'b']],
    ['a &&\n b', ['a', 'b']],
    [`git commit -m 'a; rm -rf /' "b && c"`, ['git commit -m a; rm -rf / b && c']],
    [`n'p'm "test"`, ['npm test']],
    [`echo ''`, ['echo ']],
    ['ls *.ts src/?.ts ~/x', ['ls *.ts src/?.ts ~/x']],
    [`git commit -m 'two\nlines'`, ['git commit -m two\nlines']],
    [`echo 'Größe'`, ['echo Größe']],
  ])('[TEAM-2] %j', (command, expected) => {
    expect(texts(command)).toEqual(expected);
    expect(parseCommand(command).isUnderstood).toBe(true);
  });
});

describe('what is doubted', () => {
  it.each([
    'npm test $(rm -rf x)',
    'npm test `rm -rf x`',
    'npm test "$(rm -rf x)"',
    'npm test "`rm -rf x`"',
    'npm test $HOME',
    'npm test "$HOME"',
    'npm test > x',
    'npm test 2>&1',
    'npm test < x',
    'npm test <<EOF\nrm\nEOF',
    'npm test & rm x',
    'npm test |& rm',
    'npm test &',
    '(npm test)',
    '{ npm test; }',
    'npm test {a,b}',
    'FOO=1 npm test',
    'LD_PRELOAD+=x npm test',
    'A[0]=x npm test',
    'npm test \\\nrm',
    'npm\\ test',
    `npm 'a\\' ; rm`,
    'npm test "!!"',
    '! npm test',
    'npm test # rm',
    'if npm test; then rm x; fi',
    'time npm test; done',
    'npm test &&',
    '&& npm test',
    'npm test ;; rm',
    'npm test |',
    'npm test || ',
    `npm 'test`,
    'npm "test',
    'n* test',
    '~/npm test',
    'npm test\r\nrm',
    'npm test\u0000',
    'npm\u00a0test',
    'npm test\u2028rm',
    `npm 'te\u202est'`,
    'ｎpm test',
    'echo ^x',
    `npm test ${'x'.repeat(LIMITS.ruleCommandLineChars)}`,
  ])('[TEAM-2] %j', (command) => {
    expect(parseCommand(command).isUnderstood).toBe(false);
  });

  it.each([
    ['npm test $(rm -rf x)', 'rm -rf x'],
    ['npm test "`rm -rf x`"', 'rm -rf x'],
    ['A=1 B=2 rm -rf x', 'rm -rf x'],
    ['if a; then rm -rf x; fi', 'rm -rf x'],
    ['a & rm -rf x', 'rm -rf x'],
    ['{ rm -rf x; }', 'rm -rf x'],
    ['\\rm -rf x', 'rm -rf x'],
    ['a <(rm -rf x)', 'rm -rf x'],
  ])('[TEAM-2] still has each command: %j', (command, inside) => {
    expect(texts(command)).toContain(inside);
  });
});

const PIECES = [
  'npm',
  'test',
  'rm',
  '-rf',
  ' ',
  ' ',
  '\n',
  ';',
  '&',
  '&&',
  '|',
  '||',
  "'",
  '"',
  '$',
  '$(',
  ')',
  '`',
  '\\',
  '{',
  '}',
  '<',
  '>',
  '*',
  '=',
  'A=',
  '#',
  '!',
  '~',
  '\t',
  '\r',
  '\u00a0',
  'é',
  '\ud83d',
];

const hostile = fc.array(fc.constantFrom(...PIECES), { maxLength: 30 }).map((all) => all.join(''));

it('[TEAM-2] understands nothing but words, plain quotes and five operators', () => {
  fc.assert(
    fc.property(hostile, (text) => {
      if (!parseCommand(text).isUnderstood) return;
      // With the quoted parts taken out, nothing is left that a shell could read in another way.
      const bare = text.replaceAll(/'[^'\\]*'|"[^"$`\\!]*"/g, '');
      expect(bare).not.toMatch(/[$`\\(){}<>#!"'\r]|(?<!&)&(?!&)|&&&/);
      expect(bare).toMatch(/^[\x20-\x7e\n\t]*$/);
    }),
    { numRuns: 5_000 },
  );
});

it('[TEAM-2] reads quoted words back as they were', () => {
  const word = fc.string({ unit: 'grapheme-ascii' }).filter((text) => !/['\\]/.test(text));
  fc.assert(
    fc.property(fc.array(word, { maxLength: 6 }), (words) => {
      const line = ['run', ...words.map((text) => `'${text}'`)].join(' ');
      const parsed = parseCommand(line);
      expect(parsed.isUnderstood).toBe(true);
      expect(parsed.commands).toEqual([['run', ...words].map((text) => ({ text, isExact: true }))]);
    }),
  );
});

it('[TEAM-2] takes a time in proportion to the length', () => {
  for (const piece of ['$(', '"', "'a", 'a ', ';a', 'A=1 ', '\\', 'if ', '*', '\ud83d']) {
    expect(lowestCpuMs(2, () => parseCommand(piece.repeat(1_000_000)))).toBeLessThan(100);
  }
});
