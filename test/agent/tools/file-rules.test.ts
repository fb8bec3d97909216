/**
 * How the path of a file may be written.
 *
 * A bug here lets two paths mean one file, or lets one be written in plan mode that the gate took for a plan.
 */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findPathProblem } from '../../../src/agent/tools/file-tool.ts';
import { gate, isPlanFile } from '../../../src/core/gate.ts';
import type { FileToolCall } from '../../../src/agent/tools/file-tools.ts';
import type { JsonObject } from '../../../src/protocol/json.ts';
import { MemoryFiles } from '../../support/memory-files.ts';

const REFUSED: readonly (readonly [string, string])[] = [
  ['', 'is empty'],
  ['/etc/passwd', 'begins with /'],
  ['/', 'begins with /'],
  ['..', 'is “.” or “..”'],
  ['../a.md', 'is “.” or “..”'],
  ['plans/../a.md', 'is “.” or “..”'],
  ['plans/..', 'is “.” or “..”'],
  ['./a.md', 'is “.” or “..”'],
  ['a/./b.md', 'is “.” or “..”'],
  ['.', 'is “.” or “..”'],
  ['a//b.md', 'two slashes'],
  ['notes/', 'at the end'],
  ['plans\\..\\a.md', 'backslash'],
  ['a\nb.md', 'control character'],
  ['a\u0000.md', 'control character'],
  ['a\u007f.md', 'control character'],
  ['a\u0085.md', 'control character'],
  ['a\u2028b.md', 'control character'],
  ['plans/\u202Edm.a', 'control character'],
  ['a\ud800.md', 'surrogate'],
  ['a'.repeat(501), 'more than 500'],
];

const TAKEN = [
  'a',
  'notes/today.md',
  'plans/release.md',
  '...',
  '.env',
  'a/..b/c..md',
  ' a b.md',
  'Ünïcode/👩‍💻.md',
  'constructor',
  '__proto__',
  'C:/a.md',
  'a'.repeat(500),
];

describe('[RUN-8] the path of a file', () => {
  it.each(TAKEN)('may be %j', (path) => {
    const files = new MemoryFiles();
    expect(files.run('Write', { path, content: 'x' }).isError).toBe(false);
    expect(files.run('Read', { path }).content).toBe('1\tx');
    expect(files.list()).toEqual([{ path, size: 1, updatedAt: 1 }]);
  });

  it.each(REFUSED)('may not be %j: it %s', (path, why) => {
    const files = new MemoryFiles({ 'a.md': 'x' });
    const inputs = {
      Read: { path },
      Write: { path, content: 'y' },
      Edit: { path, oldText: 'x', newText: 'y' },
      List: { path },
    } as const;
    for (const name of ['Read', 'Write', 'Edit', 'List'] as const) {
      const output = files.run(name, inputs[name]);
      expect(output.isError, name).toBe(true);
      expect(output.content, name).toContain('path: ');
      expect(output.content, name).toContain(why);
    }
    expect(files.list()).toHaveLength(1);
  });

  it('[GATE-1] is under plans/ to the tools only if it is to the gate, letter for letter', () => {
    const part = fc.oneof(
      fc.constantFrom(
        'plans',
        'Plans',
        'plans ',
        '..',
        '.',
        '',
        'a.md',
        '\\',
        'plans\\..',
        '\u202e',
      ),
      fc.string({ maxLength: 3, unit: 'binary' }),
    );
    const paths = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'));
    fc.assert(
      fc.property(paths, (path) => {
        if (findPathProblem(path) !== undefined) return;
        expect(isPlanFile(path)).toBe(path.startsWith('plans/'));
        const verdict = gate({ toolName: 'Write', input: { path, content: '' } }, 'plan', {
          rules: [],
          now: 0,
        });
        expect(verdict.behavior).toBe(path.startsWith('plans/') ? 'allow' : 'deny');
      }),
      { numRuns: 5_000 },
    );
  });
});

describe('[RUN-8] an unchecked input', () => {
  it.each<[FileToolCall['name'], JsonObject]>([
    ['Read', {}],
    ['Read', { path: 7 }],
    ['Read', { path: ['a.md'] }],
    ['Read', { path: 'a.md', offset: 0 }],
    ['Read', { path: 'a.md', offset: 1.5 }],
    ['Read', { path: 'a.md', limit: '3' }],
    ['Read', { path: 'a.md', file_path: 'b.md' }],
    ['Write', { path: 'a.md' }],
    ['Write', { path: 'a.md', content: { text: 'x' } }],
    ['Write', { path: 'a.md', content: 'half \ud83d' }],
    ['Write', { path: 'a.md', content: 'a\u0000b' }],
    ['Edit', { path: 'a.md', oldText: '', newText: 'y' }],
    ['Edit', { path: 'a.md', oldText: '\ud83d', newText: 'y' }],
    ['Edit', { path: 'a.md', oldText: 'x', newText: 'y', replaceAll: 'true' }],
    ['List', { path: null }],
  ])('of %s is refused and changes nothing (%#)', (name, input) => {
    const files = new MemoryFiles({ 'a.md': '😀 x' });
    const { content, isError } = files.run(name, input);
    expect(isError).toBe(true);
    expect(content).toMatch(/^The input cannot be used: .+\.$/);
    expect(files.contentOf('a.md')).toBe('😀 x');
  });

  it('of a tool that is none is refused', () => {
    const files = new MemoryFiles();
    expect(files.run('Delete', { path: 'a.md' })).toEqual({
      content: 'There is no tool Delete for files.',
      isError: true,
    });
  });
});
