/**
 * Ten kills of the server under load; `npm run faults -- crash` does as many as one likes. What is looked at, and
 * which planted faults it finds, is in test/faults/crash/README.md.
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
  '[LOG-3, LOG-4, INT-6, INT-8, TIME-2, TIME-3, API-2, INBOX-1] says nothing that a kill -9 makes untrue',
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
