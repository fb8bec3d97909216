import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fail } from '../lib/fail.ts';
import { ROOT, sourceFiles } from '../lib/paths.ts';
import { judge, readCitations, readRules } from '../lib/rule-book.ts';

const book = path.join(ROOT, 'docs/behaviour.md');
if (!existsSync(book)) fail('docs/behaviour.md is missing. It holds the rules that tests cite.');

const { rules, errors: illegible } = readRules(readFileSync(book, 'utf8'));
if (rules.length === 0)
  fail('docs/behaviour.md holds no rule of the form `- **LOG-1** (built) …`.');
const citations = sourceFiles(ROOT, 'test')
  // The tests of this check cite made-up rules.
  .filter((file) => !file.startsWith('test/scripts/'))
  .flatMap((file) => readCitations(file, readFileSync(path.join(ROOT, file), 'utf8')));
const { errors, warnings, summary } = judge(rules, citations);
for (const line of warnings) console.warn(`warning: ${line}`);
for (const line of [...illegible, ...errors]) console.error(line);
console.log(summary);
process.exit(illegible.length + errors.length === 0 ? 0 : 1);
