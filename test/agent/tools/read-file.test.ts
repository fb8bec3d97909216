/** `Read`. A bug here shows the model a file that is not there, or half of one as if it were all. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LIMITS } from '../../../src/protocol/limits.ts';
import { MemoryFiles } from '../../support/memory-files.ts';

const lines = (count: number) =>
  Array.from({ length: count }, (_, index) => `line ${index + 1}`).join('\n');
const ok = (content: string) => ({ content, isError: false });
const error = (content: string) => ({ content, isError: true });

describe('[RUN-8] Read', () => {
  it.each([
    ['a', '1\ta'],
    ['a\nb', '1\ta\n2\tb'],
    ['a\nb\n', '1\ta\n2\tb'],
    ['a\n\n', '1\ta\n2\t'],
    ['\n', '1\t'],
    ['a\r\nb', '1\ta\r\n2\tb'],
    ['', 'a.md is empty.'],
  ])('numbers the lines of %j', (text, shown) => {
    expect(new MemoryFiles({ 'a.md': text }).run('Read', { path: 'a.md' })).toEqual(ok(shown));
  });

  it('reads a part, and says where to read on', () => {
    const files = new MemoryFiles({ 'a.md': lines(10) });
    const read = (part: { offset?: number; limit?: number }) =>
      files.run('Read', { path: 'a.md', ...part });
    expect(read({ offset: 2, limit: 2 })).toEqual(
      ok('2\tline 2\n3\tline 3\n\n[Lines 2 to 3 of 10. Read on with offset 4.]'),
    );
    expect(read({ limit: 1 })).toEqual(ok('1\tline 1\n\n[Line 1 of 10. Read on with offset 2.]'));
    expect(read({ offset: 9 })).toEqual(ok('9\tline 9\n10\tline 10'));
    expect(read({ offset: 10, limit: 5 })).toEqual(ok('10\tline 10'));
    expect(read({ offset: 11 })).toEqual(error('a.md has 10 lines; there is no line 11.'));
  });

  it('[RUN-7] shows no more than an output may hold, in whole lines', () => {
    const files = new MemoryFiles({ 'a.md': lines(100) }).limitedTo({ toolOutputChars: 300 });
    const { content } = files.run('Read', { path: 'a.md' });
    expect(content).toMatch(
      /\n10\tline 10\n\n\[Lines 1 to 10 of 100\. Read on with offset 11\.\]$/,
    );
  });

  it('leads through a long file without leaving a line out', () => {
    const text = fc.array(fc.string({ maxLength: 120 }), { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(text, (parts) => {
        const whole = parts.map((part) => part.replaceAll('\0', '')).join('\n');
        fc.pre(whole !== '' && !whole.endsWith('\n'));
        const files = new MemoryFiles({ 'a.md': whole }).limitedTo({ toolOutputChars: 400 });
        const seen: string[] = [];
        for (let offset: number | undefined = 1; offset !== undefined; ) {
          const { content } = files.run('Read', { path: 'a.md', offset });
          expect(content.length).toBeLessThanOrEqual(400);
          const [, shown, next] = /^([^]*?)(?:\n\n\[.* offset (\d+)\.\])?$/.exec(content) ?? [];
          seen.push(...(shown ?? '').split('\n').map((line) => line.replace(/^\d+\t/, '')));
          offset = next === undefined ? undefined : Number(next);
        }
        expect(seen.join('\n')).toBe(whole);
      }),
    );
  });

  it('shows the beginning of a line that is too long by itself, without tearing a character', () => {
    const files = new MemoryFiles({ 'a.md': `${'😀'.repeat(200)}\nb` });
    for (const toolOutputChars of [300, 301]) {
      const { content } = files.limitedTo({ toolOutputChars }).run('Read', { path: 'a.md' });
      expect(content.isWellFormed()).toBe(true);
      expect(content).toMatch(/^1\t😀{49}\n\n/u);
      expect(content).toContain(
        '[Line 1 is too long to be shown whole. Line 1 of 2. Read on with offset 2.]',
      );
    }
  });

  it('keeps the largest file within the published limit', () => {
    const files = new MemoryFiles({ 'a.md': 'x\n'.repeat(LIMITS.fileBytes / 2) });
    const { content } = files.run('Read', { path: 'a.md' });
    expect(content.length).toBeLessThanOrEqual(LIMITS.toolOutputChars);
    expect(content.length).toBeGreaterThan(LIMITS.toolOutputChars - 300);
  });

  it('names files near a missing one', () => {
    const files = new MemoryFiles({
      'archive/Today.md': '',
      'notes/monday.md': '',
      'plans/a.md': '',
    });
    expect(files.run('Read', { path: 'notes/today.md' })).toEqual(
      error(
        'There is no file notes/today.md. Near it: archive/Today.md, notes/monday.md. List shows all files.',
      ),
    );
    expect(files.run('Read', { path: 'other/x.md' })).toEqual(
      error('There is no file other/x.md. List shows all files.'),
    );
    expect(new MemoryFiles().run('Read', { path: 'a.md' })).toEqual(
      error('There is no file a.md. This session has no files yet.'),
    );
  });
});
