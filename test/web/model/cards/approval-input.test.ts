/** The input of a tool call as text to edit: invisible characters are escaped, and the JSON stays equal. */
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { targetOf } from '../../../../src/web/model/cards/approval-input.ts';
import { editableJson, editedInput } from '../../../../src/web/model/cards/edited-input.ts';

const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('\u202E', '\u{E0041}', '\u200B\u2066', 'a\nb\tc', '\\u202E', '\u{1F600}'),
);

it('[UI-11, APR-2] shows nothing invisible and keeps its meaning', () => {
  fc.assert(
    fc.property(fc.dictionary(text, fc.oneof(text, fc.integer(), fc.array(text))), (input) => {
      const shown = editableJson(input);
      expect(shown).not.toMatch(/[\u202A-\u202E\u2066-\u2069\u200B-\u200F\u{E0000}-\u{E007F}]/u);
      const edited = editedInput(shown);
      expect(edited.ok && edited.input).toEqual(JSON.parse(JSON.stringify(input)));
    }),
    { numRuns: 500 },
  );
});

it('[UI-2] refuses anything but a JSON object', () => {
  for (const bad of ['', '{', '[]', 'null', '"x"', '1']) {
    expect(editedInput(bad).ok, bad).toBe(false);
  }
});

it('[UI-2] shows the target of a call in one line, and marks a cut', () => {
  expect(targetOf({ command: 'ls\nrm -rf /' })).toBe('ls …');
  expect(targetOf({ timeout: 5, file_path: '/etc/hosts' })).toBe('/etc/hosts');
  expect(targetOf({ command: ' ', depth: 1 })).toBeUndefined();
  expect(targetOf({ url: 'x'.repeat(500) })?.length).toBeLessThan(130);
});
