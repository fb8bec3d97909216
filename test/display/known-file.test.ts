import { describe, expect, it } from 'vitest';
import type { DisplayPart } from '../../src/display/display.ts';
import { displayInput } from '../../src/display/display-input.ts';
import { withKnownFile } from '../../src/display/known-file.ts';
import { patchText } from '../../src/display/diff-lines.ts';

const partOf = (toolName: string, input: object): DisplayPart => {
  const [part] = displayInput(toolName, input as never).parts;
  if (part === undefined) throw new Error('There is no part');
  return part;
};
const edit = (old: string, fresh: string, more: object = {}) =>
  partOf('Edit', { path: 'a', old_string: old, new_string: fresh, ...more });
const FILE = 'one\ntwo\nthree\ntwo\n';

describe('a file that the page can read', () => {
  it('[VIEW-1] says whether a written file is new, and what of it changes', () => {
    const write = partOf('Write', { path: 'a', content: 'one\nx\n' });
    expect(withKnownFile(write, undefined)).toMatchObject({ type: 'file', effect: 'create' });
    expect(withKnownFile(write, 'one\ntwo\n')).toMatchObject({
      type: 'diff',
      effect: 'overwrite',
      hunks: [{ isNumbered: true, lines: [{ mark: 'same' }, { text: 'two' }, { text: 'x' }] }],
    });
  });

  it('[VIEW-1] numbers the lines of an edit as they are in the file', () => {
    const lines = (part: DisplayPart) => (part.type === 'diff' ? part.hunks[0]?.lines : undefined);
    const known = withKnownFile(edit('three', '$& 3'), FILE);
    expect(known).toMatchObject({ hunks: [{ isNumbered: true, isWholeFile: true }] });
    expect(lines(known)?.[2]).toEqual({ mark: 'gone', text: 'three', old: 3 });
    expect(lines(known)?.[3]).toEqual({ mark: 'new', text: '$& 3', now: 3 });
    const all = withKnownFile(edit('two', '2', { replace_all: true }), FILE);
    expect(lines(all)?.filter(({ mark }) => mark === 'new')).toHaveLength(2);
  });

  it('[VIEW-1] changes nothing of an edit whose place in it is not certain', () => {
    for (const part of [edit('two', '2'), edit('missing', '2'), edit('', '2')])
      expect(withKnownFile(part, FILE)).toBe(part);
    expect(withKnownFile(edit('one', '1'), undefined)).toEqual(edit('one', '1'));
  });
});

it('[VIEW-1] copies a diff as a patch, with numbers where they are those of the file', () => {
  const known = withKnownFile(edit('three', '3'), FILE);
  if (known.type !== 'diff') throw new Error('It is no diff');
  expect(patchText(known)).toBe(
    '--- a/a\n+++ b/a\n@@ -1,4 +1,4 @@\n one\n two\n-three\n+3\n two\n',
  );
  const relative = edit('three', '3');
  if (relative.type !== 'diff') throw new Error('It is no diff');
  expect(patchText(relative)).toBe('--- a/a\n+++ b/a\n@@\n-three\n+3\n');
});
