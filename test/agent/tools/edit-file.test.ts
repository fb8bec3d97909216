/** `Edit`. A bug here changes another occurrence than the intended one. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LIMITS } from '../../../src/protocol/limits.ts';
import { MemoryFiles } from '../../support/memory-files.ts';

const error = (content: string) => ({ content, isError: true });

function edited(text: string, oldText: string, newText: string, replaceAll?: boolean) {
  const files = new MemoryFiles({ 'a.md': text });
  const rest = replaceAll === undefined ? {} : { replaceAll };
  const output = files.run('Edit', { path: 'a.md', oldText, newText, ...rest });
  return { output, content: files.contentOf('a.md') };
}

describe('[RUN-8] Edit', () => {
  it('replaces a text that occurs once', () => {
    expect(edited('one two three', 'two', 'zwei')).toEqual({
      output: {
        content: 'Replaced the text in one place of a.md, which now has 14 bytes.',
        isError: false,
      },
      content: 'one zwei three',
    });
    expect(edited('one two', ' two', '').content).toBe('one');
  });

  it('changes nothing if it is there more often, and says how often', () => {
    expect(edited('a b a b a', 'a', 'c')).toEqual({
      output: error(
        'oldText is in a.md 3 times. Give more of the text around it, or set replaceAll.',
      ),
      content: 'a b a b a',
    });
    expect(edited('a b a', 'a', 'c', false).output.isError).toBe(true);
    expect(edited('aaa', 'aa', 'b')).toEqual({
      output: error(
        'oldText is in a.md more than once, overlapping itself. Give more of the text around it, or set replaceAll.',
      ),
      content: 'aaa',
    });
  });

  it('replaces all of it if asked to', () => {
    expect(edited('a b a', 'a', 'cc', true)).toEqual({
      output: {
        content: 'Replaced the text in 2 places of a.md, which now has 7 bytes.',
        isError: false,
      },
      content: 'cc b cc',
    });
    expect(edited('abc', 'b', 'x', true).content).toBe('axc');
    expect(edited('aaa', 'aa', 'b', true).content).toBe('ba');
  });

  it('takes both texts letter for letter', () => {
    expect(edited('price: 5', '5', '$& $1 $$ $`').content).toBe('price: $& $1 $$ $`');
    expect(edited('a.c abc', 'a.c', 'x').content).toBe('x abc');
    expect(edited('caf\u00e9', 'cafe\u0301', 'x').output.isError).toBe(true);
  });

  it('names likely causes if the text is not found', () => {
    expect(edited('one\ntwo', '1\tone', 'x').output.content).toMatch(
      /^oldText was not found in a\.md\. It has to match letter for letter, .* numbers/,
    );
    expect(edited('one\r\ntwo\r\n', 'one\ntwo', 'x').output.content).toContain('end with \\r\\n');
    expect(edited('one', 'one', 'one').output).toEqual(
      error('oldText and newText are the same: nothing would change.'),
    );
    const files = new MemoryFiles({ 'b.md': '' });
    expect(files.run('Edit', { path: 'a.md', oldText: 'x', newText: 'y' })).toEqual(
      error('There is no file a.md. Near it: b.md. List shows all files.'),
    );
  });

  it('is refused before a file is built that would not fit into memory', () => {
    const files = new MemoryFiles({ 'a.md': 'a'.repeat(LIMITS.fileBytes) });
    const newText = 'b'.repeat(LIMITS.fileBytes);
    const { content } = files.run('Edit', {
      path: 'a.md',
      oldText: 'a',
      newText,
      replaceAll: true,
    });
    expect(content).toBe(
      `a.md would have ${LIMITS.fileBytes ** 2} bytes; the limit for a file is ${LIMITS.fileBytes}.`,
    );
  });

  it('says the size that the file then has', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', 'ü', '😀', '\n') });
    fc.assert(
      fc.property(text, text, text, (content, oldText, newText) => {
        const { output, content: after = '' } = edited(content, oldText, newText, true);
        if (output.isError) return;
        expect(after).toBe(content.split(oldText).join(newText));
        expect(output.content).toContain(`now has ${Buffer.byteLength(after)} bytes`);
      }),
      { numRuns: 500 },
    );
  });
});
