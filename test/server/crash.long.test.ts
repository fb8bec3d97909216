/**
 * Ten kills of the server under load; `npm run faults -- crash` kills more often. test/faults/crash/README.md lists the
 * checks and the planted faults that they find.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { runCrashTest } from '../faults/crash/crash-run.ts';

const SEED = 'short';
/** About 20 seconds; several times that on a machine that is busy with other things. */
const TIMEOUT_MS = 180_000;

it(
  '[LOG-3, LOG-4, INT-6, INT-8, TIME-2, TIME-3, API-2, INBOX-1] acknowledges nothing that a kill -9 can undo',
  async () => {
    const dataDir = mkdtempSync(path.join(tmpdir(), 'holdpoint-crash-'));
    onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
    const report = await runCrashTest({ kills: 10, seed: SEED, dataDir });
    expect(report.findings).toEqual([]);
    expect(report.kills).toBe(10);
    expect(report.inDoubtReplayed).toBeGreaterThan(0);
    expect(report.deadlineLagMs.count).toBeGreaterThan(0);
    expect(report.waitersServed).toBeGreaterThan(0);
  },
  TIMEOUT_MS,
);
