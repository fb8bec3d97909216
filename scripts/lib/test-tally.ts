/**
 * How many tests passed and failed, from vitest's JSON report.
 *
 * A run that failed never counts as zero failures: a file that does not load and an error outside any test have no
 * failed test of their own.
 */
export interface Tally {
  passed: number;
  failed: number;
}

export function testTally(exitCode: number, report: string | undefined): Tally {
  if (report === undefined) return { passed: 0, failed: 1 };
  const { numPassedTests, numFailedTests }: { numPassedTests: number; numFailedTests: number } =
    JSON.parse(report);
  const failed = exitCode !== 0 && numFailedTests === 0 ? 1 : numFailedTests;
  return { passed: numPassedTests, failed };
}
