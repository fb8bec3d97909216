/**
 * Ten kills of the server while agents ask about large inputs; `npm run faults -- large-input` kills more often.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { runLargeInputTest } from '../faults/large-input/large-input-run.ts';

const SEED = 'short';
/** About 20 seconds; far more on a machine that is busy with other things. */
const TIMEOUT_MS = 600_000;

it(
  '[INT-17, LOG-3] a kill -9 leaves a large input whole or absent',
  async () => {
    const dataDir = mkdtempSync(path.join(tmpdir(), 'holdpoint-large-input-'));
    onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
    const report = await runLargeInputTest({ kills: 10, seed: SEED, dataDir });
    expect(report.findings).toEqual([]);
    expect(report.openings).toBe(40);
  },
  TIMEOUT_MS,
);
