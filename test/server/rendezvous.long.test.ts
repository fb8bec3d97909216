/** Ten kills of the server while requests wait for their tool calls; `npm run faults -- rendezvous` kills more often. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { runRendezvousTest } from '../faults/rendezvous/rendezvous-run.ts';

const SEED = 'short';
const TIMEOUT_MS = 180_000;

it(
  '[RDV-1, RDV-2, RDV-5, RDV-6] a kill -9 in the wait makes no wrong pair and no double',
  async () => {
    const dataDir = mkdtempSync(path.join(tmpdir(), 'holdpoint-rendezvous-'));
    onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
    const report = await runRendezvousTest({ kills: 10, seed: SEED, dataDir });
    expect(report.findings).toEqual([]);
    expect(report.repeated).toBeGreaterThan(0);
    expect(report.paired).toBeGreaterThan(0);
    expect(report.lateMs.count).toBeGreaterThan(0);
  },
  TIMEOUT_MS,
);
