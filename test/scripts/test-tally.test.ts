/** A bug here ends a failed CI run as if it had passed, or without the name of the test that failed. */
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../../scripts/lib/paths.ts';
import { listFailures, testTally } from '../../scripts/lib/test-tally.ts';

const passedFile = {
  name: path.join(ROOT, 'test/core/gate.test.ts'),
  status: 'passed',
  message: '',
  assertionResults: [{ status: 'passed', ancestorTitles: [], title: 'asks', failureMessages: [] }],
};

const failedFile = {
  name: path.join(ROOT, 'test/client/link.test.ts'),
  status: 'failed',
  message: '',
  assertionResults: [
    {
      status: 'failed',
      ancestorTitles: ['a link'],
      title: '[CONN-1] opens again',
      failureMessages: [
        '\u001B[31mAssertionError: expected 1 to be 2\u001B[39m\n    at link.test.ts:5',
      ],
    },
    { status: 'passed', ancestorTitles: ['a link'], title: 'closes', failureMessages: [] },
  ],
};

const unloadedFile = {
  name: path.join(ROOT, 'test/core/lost.test.ts'),
  status: 'failed',
  message: 'Cannot find module ./lost.ts\nRequire stack',
  assertionResults: [],
};

const report = (numFailedTests: number, ...testResults: readonly object[]) =>
  JSON.stringify({ numPassedTests: 5, numFailedTests, testResults });

describe('the tally of a test run', () => {
  it('counts tests, and never a failed run as no failure', () => {
    expect(testTally('test', 0, report(0, passedFile))).toEqual({
      passed: 5,
      failed: 0,
      failures: [],
    });
    expect(testTally('test', 1, report(0, passedFile))).toEqual({
      passed: 5,
      failed: 1,
      failures: ['test: failed outside any test, see the errors above'],
    });
    expect(testTally('test:long', 1, undefined)).toEqual({
      passed: 0,
      failed: 1,
      failures: ['test:long: ended without a report'],
    });
  });

  it('names a failed test by file and titles, with the first line of its message', () => {
    expect(testTally('test', 1, report(1, passedFile, failedFile))).toEqual({
      passed: 5,
      failed: 1,
      failures: [
        'test/client/link.test.ts > a link > [CONN-1] opens again: AssertionError: expected 1 to be 2',
      ],
    });
  });

  it('says that a test timed out', () => {
    const [test] = failedFile.assertionResults;
    const late = { ...test, failureMessages: ['Error: STACK_TRACE_ERROR\n    at task'] };
    const { failures } = testTally(
      'test',
      1,
      report(1, { ...failedFile, assertionResults: [late] }),
    );
    expect(failures).toEqual([
      'test/client/link.test.ts > a link > [CONN-1] opens again: timed out',
    ]);
  });

  it('names a file that does not load', () => {
    const { failed, failures } = testTally('test', 1, report(1, failedFile, unloadedFile));
    expect(failed).toBe(2);
    expect(failures[1]).toBe('test/core/lost.test.ts: Cannot find module ./lost.ts');
  });

  it('names a file of which only a hook failed', () => {
    const { failures } = testTally('test', 1, report(0, { ...passedFile, status: 'failed' }));
    expect(failures).toEqual([
      'test/core/gate.test.ts: failed outside its tests, see the errors above',
    ]);
  });
});

it('lists twenty failures and counts the rest', () => {
  const failures = Array.from({ length: 23 }, (_, index) => `test ${index}`);
  const listed = listFailures(failures);
  expect(listed).toHaveLength(21);
  expect(listed.slice(19)).toEqual(['✗ test 19', '✗ and 3 more']);
  expect(listFailures(failures.slice(0, 20))).toHaveLength(20);
  expect(listFailures([])).toEqual([]);
});
