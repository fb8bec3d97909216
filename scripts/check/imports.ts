import { readFileSync } from 'node:fs';
import path from 'node:path';
import { offensesIn } from '../lib/import-rules.ts';
import { ROOT, sourceFiles } from '../lib/paths.ts';

const files = sourceFiles(ROOT, 'src');
const offenses = files.flatMap((file) =>
  offensesIn(file, readFileSync(path.join(ROOT, file), 'utf8')),
);
for (const { file, line, message } of offenses) console.error(`${file}:${line}  ${message}`);
console.log(`${files.length} files, ${offenses.length} imports or calls out of place`);
process.exit(offenses.length === 0 ? 0 : 1);
