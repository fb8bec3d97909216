/** docs/reliability.md names the suites that notice each planted fault. A bug here names a suite that has moved away. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from '../../scripts/lib/paths.ts';

const PAGE = readFileSync(path.join(ROOT, 'docs/reliability.md'), 'utf8');
const [, TABLE = ''] = PAGE.split('## Faults that were planted');

/** `session/alarm, simulation, 100 seeds` → session/alarm; harnesses have no folder before them. */
const suites = [
  ...new Set(
    TABLE.split('\n')
      .filter((line) => line.startsWith('| '))
      .flatMap((line) => (line.split('|')[3] ?? '').match(/[a-z-]+(?:\/[a-z-]+)+/g) ?? []),
  ),
];

it('names suites of planted faults', () => {
  expect(suites.length).toBeGreaterThan(15);
});

it.each(suites)('names the suite %s, which exists', (suite) => {
  expect(existsSync(path.join(ROOT, `test/${suite}.test.ts`))).toBe(true);
});
