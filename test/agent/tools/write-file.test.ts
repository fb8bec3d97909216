/** `Write`, and the room there is. A bug here loses a file, or fills the storage of a session. */
import { describe, expect, it } from 'vitest';
import { LIMITS } from '../../../src/protocol/limits.ts';
import { MemoryFiles } from '../../support/memory-files.ts';

const ok = (content: string) => ({ content, isError: false });
const error = (content: string) => ({ content, isError: true });

describe('[RUN-8] Write', () => {
  it('makes a file, and replaces it whole', () => {
    const files = new MemoryFiles();
    expect(files.run('Write', { path: 'a.md', content: 'Grüße\n' })).toEqual(
      ok('Wrote a.md, which has 8 bytes.'),
    );
    expect(files.run('Write', { path: 'a.md', content: 'b' })).toEqual(
      ok('Replaced a.md, which had 8 bytes and now has 1.'),
    );
    expect(files.contentOf('a.md')).toBe('b');
  });

  it('may write nothing into a file', () => {
    const files = new MemoryFiles({ 'a.md': 'x' });
    expect(files.run('Write', { path: 'a.md', content: '' }).isError).toBe(false);
    expect(files.contentOf('a.md')).toBe('');
  });

  it('counts the bytes of a file, not its characters, and says the limit', () => {
    const files = new MemoryFiles().limitedTo({ fileBytes: 4 });
    expect(files.run('Write', { path: 'a.md', content: '😀' }).isError).toBe(false);
    expect(files.run('Write', { path: 'a.md', content: '😀a' })).toEqual(
      error('a.md would have 5 bytes; the limit for a file is 4.'),
    );
    expect(files.contentOf('a.md')).toBe('😀');
  });

  it('makes no more files than a session may have; existing ones can be written', () => {
    const files = new MemoryFiles({ 'a.md': '', 'b.md': '' }).limitedTo({ filesPerSession: 2 });
    expect(files.run('Write', { path: 'c.md', content: '' })).toEqual(
      error('This session has 2 files; the limit is 2. Write into one of them.'),
    );
    expect(files.run('Write', { path: 'b.md', content: 'x' }).isError).toBe(false);
  });

  it('lets files grow together up to the limit, and shrink beyond it', () => {
    const files = new MemoryFiles({ 'a.md': 'aaa', 'b.md': 'bbb' }).limitedTo({ filesBytes: 7 });
    expect(files.run('Write', { path: 'c.md', content: 'cc' })).toEqual(
      error(
        'The files of this session would have 8 bytes together; the limit is 7. Make one of them shorter first.',
      ),
    );
    expect(files.run('Write', { path: 'a.md', content: 'aaaa' }).isError).toBe(false);
    expect(files.run('Write', { path: 'a.md', content: 'aaaaa' }).isError).toBe(true);
    files.limitedTo({ filesBytes: 3 });
    expect(files.run('Write', { path: 'a.md', content: 'aaa' }).isError).toBe(false);
    expect(files.run('Edit', { path: 'a.md', oldText: 'aaa', newText: 'aa' }).isError).toBe(false);
  });

  it('takes the largest file of the published limits, and not one byte more', () => {
    const files = new MemoryFiles();
    const content = 'x'.repeat(LIMITS.fileBytes);
    expect(files.run('Write', { path: 'a.md', content }).isError).toBe(false);
    expect(files.run('Write', { path: 'b.md', content: `${content}x` }).isError).toBe(true);
  });
});
