import { readFileSync } from 'node:fs';
import path from 'node:path';
import { readDeclaredNames, readIdentifiers } from '../lib/declared-names.ts';
import { findBareTexts } from '../lib/bare-texts.ts';
import { fail } from '../lib/fail.ts';
import { ROOT, sourceFiles } from '../lib/paths.ts';
import { findTranslationFaults, readScreenTexts } from '../lib/translations.ts';
import { findNamingFaults, readForbiddenWords } from '../lib/vocabulary.ts';
import { GERMAN } from '../../src/web/languages/de.ts';

const forbidden = readForbiddenWords(readFileSync(path.join(ROOT, 'docs/words.md'), 'utf8'));
if (forbidden.length === 0) fail('docs/words.md has no table below the heading "Do not use".');
const files = sourceFiles(ROOT, 'src').map((file) => {
  const text = readFileSync(path.join(ROOT, file), 'utf8');
  return { file, names: readDeclaredNames(file, text), identifiers: readIdentifiers(file, text) };
});
const faults = findNamingFaults(files, forbidden);
for (const fault of faults) console.error(fault);
console.log(
  `${files.length} files, ${forbidden.length} words not to use, ${faults.length} names out of line`,
);

const screens = [...sourceFiles(ROOT, 'src/web'), ...sourceFiles(ROOT, 'src/display')].map(
  (file) => {
    const source = readFileSync(path.join(ROOT, file), 'utf8');
    const bare = file.startsWith('src/web/languages/') ? [] : findBareTexts(file, source);
    return { ...readScreenTexts(file, source), bare };
  },
);
const texts = screens.flatMap((screen) => screen.texts);
const problems = [
  ...screens.flatMap((screen) => [...screen.faults, ...screen.bare]),
  ...findTranslationFaults(texts, GERMAN.catalogue),
];
for (const problem of problems) console.error(problem);
console.log(`${texts.length} texts of the screen, ${problems.length} not as in their catalogue`);
process.exit(faults.length + problems.length === 0 ? 0 : 1);
