/** Forty races of votes with kills of the server; `npm run faults -- quorum` runs more. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { runQuorumTest } from '../faults/quorum/quorum-run.ts';

const SEED = 'short';
const TIMEOUT_MS = 180_000;

it(
  '[VOTE-2, VOTE-3, VOTE-5, VOTE-6] a kill -9 in the midst of votes loses none and counts none twice',
  async () => {
    const dataDir = mkdtempSync(path.join(tmpdir(), 'holdpoint-quorum-'));
    onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
    const report = await runQuorumTest({ races: 40, seed: SEED, dataDir });
    expect(report.findings).toEqual([]);
    for (const count of ['repeated', 'approved', 'denied', 'withdrawn', 'doubled'] as const) {
      expect(report[count], count).toBeGreaterThan(0);
    }
  },
  TIMEOUT_MS,
);
