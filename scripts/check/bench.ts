/** Warns of an old run of the benchmark, and never fails: a run needs a quiet machine, which CI is not. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../lib/paths.ts';
import { ageWarning, commitsSince } from '../lib/published-bench.ts';

const file = path.join(ROOT, 'bench/results/latest.json');
const { circumstances } = JSON.parse(readFileSync(file, 'utf8')) as {
  circumstances: { commit: string };
};
const { commit } = circumstances;
const age = commitsSince(ROOT, commit);
const warning = ageWarning(commit, age);
if (warning === undefined) {
  console.log(`The published run of the benchmark is ${age} commits to src/ old.`);
} else console.warn(`warning: ${warning}`);
