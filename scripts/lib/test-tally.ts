/**
 * Reads vitest's JSON report: how many tests passed and failed, and what failed.
 *
 * A failed run never counts as zero failures: a file that does not load, or an error outside any test, appears as no
 * failed test in the report.
 */
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { ROOT } from './paths.ts';

export interface Tally {
  readonly passed: number;
  readonly failed: number;
  /** A line for each failure: where it is, and the first line of its message. */
  readonly failures: readonly string[];
}

interface TestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly testResults: readonly TestFile[];
}

interface TestFile {
  readonly name: string;
  readonly status: string;
  readonly message: string;
  readonly assertionResults: readonly {
    readonly status: string;
    readonly ancestorTitles: readonly string[];
    readonly title: string;
    readonly failureMessages?: readonly string[] | null;
  }[];
}

/** The report has no message for a failed `afterAll`. */
const HOOK_FAILED = 'failed outside its tests, see the errors above';

/** The stack of a timeout begins so, whatever its message says. */
const TIMED_OUT = 'Error: STACK_TRACE_ERROR';

/** More would push the first failures out of a terminal and of the end of a CI log. */
const LISTED_AT_MOST = 20;

export function testTally(script: string, exitCode: number, report: string | undefined): Tally {
  if (report === undefined) {
    return { passed: 0, failed: 1, failures: [`${script}: ended without a report`] };
  }
  const { numPassedTests, numFailedTests, testResults }: TestReport = JSON.parse(report);
  const failures = testResults.flatMap(failuresOf);
  if (exitCode !== 0 && failures.length === 0) {
    failures.push(`${script}: failed outside any test, see the errors above`);
  }
  return {
    passed: numPassedTests,
    failed: Math.max(numFailedTests, failures.length),
    failures,
  };
}

function failuresOf({ name, status, message, assertionResults }: TestFile): string[] {
  const file = path.relative(ROOT, name);
  const tests = assertionResults
    .filter((test) => test.status === 'failed')
    .map((test) =>
      describeFailure([file, ...test.ancestorTitles, test.title], test.failureMessages?.[0] ?? ''),
    );
  return tests.length === 0 && status === 'failed'
    ? [describeFailure([file], message || HOOK_FAILED)]
    : tests;
}

function describeFailure(titles: readonly string[], message: string): string {
  const firstLine = stripVTControlCharacters(message).trim().split('\n', 1)[0] ?? '';
  return `${titles.join(' > ')}: ${firstLine === TIMED_OUT ? 'timed out' : firstLine}`;
}

/** The end of a CI log is often all that is kept of it, so the names of failed tests stand there again. */
export function listFailures(failures: readonly string[]): string[] {
  const more = failures.length - LISTED_AT_MOST;
  return [
    ...failures.slice(0, LISTED_AT_MOST).map((failure) => `✗ ${failure}`),
    ...(more > 0 ? [`✗ and ${more} more`] : []),
  ];
}
