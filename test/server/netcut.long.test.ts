/** Cuts of the connections of subscribers; `npm run faults -- netcut` makes more cuts. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { runNetcut } from '../faults/netcut/netcut-run.ts';

const SEED = 'short';
const CUTS = 30;
const TIMEOUT_MS = 180_000;

it(
  '[WS-1, WS-4] loses, doubles and reorders nothing for subscribers whose connections are cut',
  async () => {
    const dataDir = mkdtempSync(path.join(tmpdir(), 'holdpoint-netcut-'));
    onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
    const report = await runNetcut({ cuts: CUTS, seed: SEED, dataDir });
    expect(report.findings).toEqual([]);
    expect(report.cuts).toBeGreaterThanOrEqual(CUTS);
    expect(report.deliveries).toBeGreaterThan(0);
  },
  TIMEOUT_MS,
);
