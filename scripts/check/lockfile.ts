import { readFileSync } from 'node:fs';
import path from 'node:path';
import { lockfileProblems } from '../lib/lockfile.ts';
import { ROOT } from '../lib/paths.ts';

const problems = lockfileProblems(readFileSync(path.join(ROOT, 'package-lock.json'), 'utf8'));
for (const problem of problems) console.error(`package-lock.json: ${problem}`);
if (problems.length === 0) console.log('package-lock.json is complete');
process.exit(problems.length === 0 ? 0 : 1);
