import { expect, it } from 'vitest';
import { testTally } from '../../scripts/lib/test-tally.ts';

it('counts tests, and never a failed run as no failure', () => {
  const report = JSON.stringify({ numPassedTests: 5, numFailedTests: 0 });
  expect(testTally(0, report)).toEqual({ passed: 5, failed: 0 });
  expect(testTally(1, report)).toEqual({ passed: 5, failed: 1 });
  expect(testTally(1, undefined)).toEqual({ passed: 0, failed: 1 });
});
