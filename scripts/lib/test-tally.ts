/**
 * Counts passed and failed tests from vitest's JSON report.
 *
 * A failed run never counts as zero failures: a file that does not load, or an error outside any test, appears as no
 * failed test in the report.
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
