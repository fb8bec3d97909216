/**
 * `npm run house`: the size and the names of src/ in one table. The lines of import statements are divided by all lines
 * and by the lines of code, which are neither blank nor comments.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { readDeclaredNames } from './lib/declared-names.ts';
import { countLines, sum } from './lib/import-share.ts';
import { ROOT, sourceFiles } from './lib/paths.ts';
import { filesByName, isBareParticiple } from './lib/vocabulary.ts';

const SMALL_FILE_LINES = 40;

const files = sourceFiles(ROOT, 'src').map((file) => {
  const text = readFileSync(path.join(ROOT, file), 'utf8');
  return { file, text, names: readDeclaredNames(file, text), ...countLines({ file, text }) };
});
const sizes = files.map(({ lines }) => lines).toSorted((a, b) => a - b);
const largest = files.toSorted((a, b) => b.lines - a.lines)[0];
const names = filesByName(files);
const shared = [...names.values()].filter((declaredIn) => declaredIn.length > 1).length;
const imports = sum(files.map((one) => one.imports));
const participles = files.flatMap((one) =>
  one.names.filter(
    ({ isExported, isFunction, name }) => isExported && isFunction && isBareParticiple(name),
  ),
);

const rows: [string, string][] = [
  ['files', String(files.length)],
  ['lines', String(sum(sizes))],
  ['median', String(quantile(0.5))],
  ['p90', String(quantile(0.9))],
  ['largest', `${largest?.lines ?? 0} (${largest?.file ?? 'none'})`],
  ['under 40 lines', share(sizes.filter((size) => size < SMALL_FILE_LINES).length, sizes.length)],
  ['imports in all lines', share(imports, sum(sizes))],
  ['imports in lines of code', share(imports, sum(files.map((one) => one.code)))],
  ['names in two files or more', share(shared, names.size)],
  ['exported bare participles', String(participles.length)],
];
for (const [label, value] of rows) console.log(`${label.padEnd(28)}${value}`);

function quantile(part: number): number {
  return sizes[Math.min(sizes.length - 1, Math.floor(sizes.length * part))] ?? 0;
}

function share(part: number, whole: number): string {
  return `${((100 * part) / whole).toFixed(1)} % (${part} of ${whole})`;
}
