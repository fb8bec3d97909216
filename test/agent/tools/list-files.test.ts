/** `List`. A bug here hides a file from the model, or shows it more than it can read. */
import { describe, expect, it } from 'vitest';
import { LIMITS } from '../../../src/protocol/limits.ts';
import { MemoryFiles } from '../../support/memory-files.ts';

const FILES = { 'b.md': '12', 'notes/a.md': 'ü', 'notes/more/c.md': '', 'notesbook.md': '1' };
const ok = (content: string) => ({ content, isError: false });
const error = (content: string) => ({ content, isError: true });

describe('[RUN-8] List', () => {
  it('shows all files with their sizes, in the order of their paths', () => {
    expect(new MemoryFiles(FILES).run('List', {})).toEqual(
      ok(
        '4 files, 5 bytes together. Bytes and path of each:\n2\tb.md\n2\tnotes/a.md\n0\tnotes/more/c.md\n1\tnotesbook.md',
      ),
    );
  });

  it('shows what is in a folder, and nothing beside it', () => {
    const files = new MemoryFiles(FILES);
    expect(files.run('List', { path: 'notes' })).toEqual(
      ok('2 files, 2 bytes together. Bytes and path of each:\n2\tnotes/a.md\n0\tnotes/more/c.md'),
    );
    expect(files.run('List', { path: 'notes/more' })).toEqual(
      ok('1 file, 0 bytes together. Bytes and path of each:\n0\tnotes/more/c.md'),
    );
  });

  it('says that there is nothing', () => {
    const files = new MemoryFiles(FILES);
    expect(new MemoryFiles().run('List', {})).toEqual(ok('This session has no files yet.'));
    expect(files.run('List', { path: 'note' })).toEqual(
      error('There is no folder note. List without a path shows all files.'),
    );
    expect(files.run('List', { path: 'b.md' })).toEqual(error('b.md is a file: Read reads it.'));
  });

  it('[RUN-7] shows as many as an output may hold, and says how many more there are', () => {
    const paths = Array.from({ length: LIMITS.filesPerSession }, (_, index) =>
      `${index}-`.padEnd(500, 'x'),
    );
    const files = new MemoryFiles(Object.fromEntries(paths.map((path) => [path, ''])));
    const { content } = files.run('List', {});
    expect(content.length).toBeLessThanOrEqual(LIMITS.toolOutputChars);
    const shown = content.match(/^0\t/gm)?.length ?? 0;
    expect(content).toContain(`200 files`);
    expect(content).toContain(`[${200 - shown} more. List a folder to see fewer.]`);
  });
});
