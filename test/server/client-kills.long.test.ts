/** A client that is killed a few times; `npm run faults -- netcut --client --kills 100` kills more often. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { runKills } from '../faults/netcut/client/kill-run.ts';

const KILLS = 5;
const TIMEOUT_MS = 180_000;

it(
  '[TRN-4, TL-1, TL-9] shows no gap, no duplicate and no stale interaction after a client was killed and resumed',
  async () => {
    const dataDir = mkdtempSync(path.join(tmpdir(), 'holdpoint-kills-'));
    onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
    const report = await runKills({ kills: KILLS, seed: 'short', dataDir });
    expect(report.findings).toEqual([]);
    expect(report.opened).toBeGreaterThan(0);
    expect(report.deliveries).toBeGreaterThanOrEqual(report.events);
    expect(report.silentLives).toBeLessThan(KILLS);
  },
  TIMEOUT_MS,
);
