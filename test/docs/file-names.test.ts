/** Pages and comments name files. A bug here sends a reader after a file that was renamed or merged into another. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync } from 'vite';
import { describe, expect, it } from 'vitest';
import { ROOT, sourceFiles } from '../../scripts/lib/paths.ts';

const FOLDERS = ['bench', 'docs', 'examples', 'migrations', 'scripts', 'src', 'test'];
const paths = FOLDERS.flatMap((folder) =>
  readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map(
    (file) => `/${folder}/${file.split(path.sep).join('/')}`,
  ),
).concat('/vitest.config.ts');

/** These guides name the files that they make; `test/guide/` follows them. The changelog names the past. */
const GUIDES = ['docs/new-kind.md', 'docs/new-surface.md'];
const pages = [
  ...readdirSync(ROOT).filter((file) => file.endsWith('.md') && file !== 'CHANGELOG.md'),
  ...paths.filter((file) => file.endsWith('.md')).map((file) => file.slice(1)),
].filter((file) => !GUIDES.includes(file) && !file.includes('node_modules/'));

const sources = ['src', 'scripts', 'bench'].flatMap((folder) => sourceFiles(ROOT, folder));

/** Names in capitals (`NNNN_reason.sql`) stand for a file of the reader. */
function missingFiles(text: string): string[] {
  const named = text.match(/(?<![\w/.*-])(?:[\w.-]+\/)*[\w.-]+\.(?:tsx?|sql)\b/g) ?? [];
  return named.filter((name) => {
    const end = name.replace(/^(?:\.{1,2}\/)+/, '/').replace(/^(?!\/)/, '/');
    return !/[A-Z]{4}/.test(name) && !paths.some((file) => file.endsWith(end));
  });
}

function read(file: string): string {
  return readFileSync(path.join(ROOT, file), 'utf8');
}

describe('the files named in', () => {
  it.each(pages)('%s exist', (page) => {
    expect(missingFiles(read(page))).toEqual([]);
  });

  it('comments exist', () => {
    const missing = sources.flatMap((file) =>
      parseSync(file, read(file)).comments.flatMap(({ value }) =>
        missingFiles(value).map((name) => `${file}: ${name}`),
      ),
    );
    expect(missing).toEqual([]);
  });

  it('are looked for by the whole of their last parts', () => {
    const text =
      'See `core/decide.ts`, decide.ts, core/none.ts, ide.ts and migrations/NNNN_reason.sql.';
    expect(missingFiles(text)).toEqual(['core/none.ts', 'ide.ts']);
  });
});
