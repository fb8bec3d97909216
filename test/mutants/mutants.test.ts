/** The planted faults have their places in the code as it is; `npm run faults -- mutants` plants them. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from '../../scripts/lib/paths.ts';
import { mutantRow, withFault } from './mutant.ts';
import { MUTANTS, QUICK } from './mutants.ts';

it.each(MUTANTS.map((mutant) => [mutant.name, mutant] as const))('%s', (_name, mutant) => {
  const text = readFileSync(path.join(ROOT, mutant.file), 'utf8');
  expect(withFault(text, mutant)).not.toBe(text);
  for (const suite of mutant.caughtBy) {
    if ('file' in suite) expect(existsSync(path.join(ROOT, suite.file)), suite.file).toBe(true);
  }
});

it('names the quick ones as they are called, and each has a quick suite', () => {
  for (const name of QUICK) {
    const mutant = MUTANTS.find((one) => one.name === name);
    expect(mutant?.caughtBy.some(({ type }) => type === 'node')).toBe(true);
  }
});

it('has a row for each fault, and no other, in docs/reliability.md', () => {
  const page = readFileSync(path.join(ROOT, 'docs/reliability.md'), 'utf8');
  const [, table = ''] = page.split('| fault | breaks | noticed by |\n|---|---|---|\n');
  const [rows = ''] = table.split('\n\n');
  expect(rows.split('\n')).toEqual(MUTANTS.map(mutantRow));
});

it('does not plant a fault whose place is gone or not the only one', () => {
  const [mutant] = MUTANTS;
  if (mutant === undefined) throw new Error('There are no faults');
  expect(() => withFault('', mutant)).toThrow('0 times');
  expect(() => withFault(mutant.find + mutant.find, mutant)).toThrow('2 times');
});
