/** docs/words.md names what each word is called in code and in rows. A bug here sends a reader after a name that is gone. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT, sourceFiles } from '../../scripts/lib/paths.ts';
import { readMigrations } from '../support/read-migrations.ts';

const PAGE = readFileSync(path.join(ROOT, 'docs/words.md'), 'utf8');
const [DOMAIN = ''] = PAGE.split('## Do not use');

const ROWS = DOMAIN.split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| word '))
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .map(([, word = '', , , rows = '', code = '']) => ({ word, rows, code }));

const files = sourceFiles(ROOT, 'src');
const code = new Set(
  files.flatMap((file) => readFileSync(path.join(ROOT, file), 'utf8').match(/[A-Za-z_]\w*/g) ?? []),
);
const paths = files.join('\n');
const stored = new Set(
  [...readMigrations('session'), ...readMigrations('workspace')]
    .concat(
      files
        .filter((file) => file.startsWith('src/platform/sqlite/'))
        .map((file) => readFileSync(path.join(ROOT, file), 'utf8')),
    )
    .flatMap((text) => text.match(/[a-z_]+/g) ?? []),
);

function namesIn(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
}

describe('docs/words.md', () => {
  it('has words, and each once', () => {
    const words = ROWS.map(({ word }) => word);
    expect(words.length).toBeGreaterThan(40);
    expect(new Set(words).size).toBe(words.length);
  });

  it.each(ROWS)('names code and rows of "$word" that exist', ({ rows, code: names }) => {
    for (const name of namesIn(names)) {
      const isThere = name.endsWith('/') ? paths.includes(`/${name}`) : code.has(name);
      expect(isThere, name).toBe(true);
    }
    for (const name of namesIn(rows)) {
      for (const part of name.split(/[./]/).filter((one) => /^[a-z_]+$/.test(one))) {
        expect(stored.has(part), name).toBe(true);
      }
    }
  });
});
