/**
 * Six kills of the server while it sends webhooks; `npm run faults -- webhooks` kills more often. The checks are in
 * test/faults/webhooks/webhooks-run.ts.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { runWebhooks } from '../faults/webhooks/webhooks-run.ts';

const TIMEOUT_MS = 300_000;

it(
  '[OUT-1, OUT-2] a kill -9 loses no announcement, and every settled request is retired',
  async () => {
    const dataDir = mkdtempSync(path.join(tmpdir(), 'holdpoint-webhooks-'));
    onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
    const report = await runWebhooks({ kills: 5, alarms: 1, seed: 'short', dataDir });
    expect(report.findings).toEqual([]);
    expect(report.alarmMs).toBeGreaterThan(0);
    expect(report.events).toBeGreaterThan(0);
    expect(report.answered).toBeGreaterThan(0);
  },
  TIMEOUT_MS,
);
