import { readFileSync } from 'node:fs';
import path from 'node:path';
import { findLongFiles } from '../lib/file-length.ts';
import { offensesIn } from '../lib/import-rules.ts';
import { countLines, findImportShareFault } from '../lib/import-share.ts';
import { listFiles, ROOT, sourceFiles } from '../lib/paths.ts';

const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8');

const files = sourceFiles(ROOT, 'src');
const offenses = files.flatMap((file) => offensesIn(file, read(file)));
for (const { file, line, message } of offenses) console.error(`${file}:${line}  ${message}`);
console.log(`${files.length} files, ${offenses.length} imports or calls out of place`);

const written = ['src', 'scripts', 'test', 'bench'].flatMap((folder) =>
  listFiles(ROOT, folder, /\.(?:tsx?|js|css)$/),
);
const long = findLongFiles(written.map((file) => ({ file, text: read(file) })));
for (const fault of long) console.error(fault);
console.log(`${written.length} files, ${long.length} too long without a reason`);
const share = findImportShareFault(files.map((file) => countLines({ file, text: read(file) })));
if (share !== undefined) console.error(share);
process.exit(offenses.length + long.length === 0 && share === undefined ? 0 : 1);
