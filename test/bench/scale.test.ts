/** Scale and prices. A bug here lets a page promise a price or a rate that nothing has counted. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { writeBlocks } from '../../bench/lib/published.ts';
import { NO_COSTS } from '../../bench/product/no-costs.mjs';
import {
  monthlyBill,
  OBJECT_LIMITS,
  priceOf,
  scaled,
  storagePrice,
  type Usage,
} from '../../bench/scale/platform.ts';
import { MILLION, OBJECT_A_CHAT, priceRows, usageOfApproval } from '../../bench/scale/prices.ts';
import { liveOnce } from '../../bench/scale/sample-session.ts';
import { scaleBlocks, type ScaleRun } from '../../bench/scale/scale-page.ts';
import { SharedWorkspace } from '../../bench/scale/shared-workspace.ts';
import { renamed, simulate } from '../../bench/scale/simulate.ts';
import { ROOT } from '../../scripts/lib/paths.ts';
import type { Report } from '../../src/core/report.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'holdpoint-scale-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function read(file: string): string {
  return readFileSync(path.join(ROOT, file), 'utf8');
}

const NOTHING: Usage = {
  workerRequests: 0,
  workerCpuMs: 0,
  objectRequests: 0,
  socketMessages: 0,
  activeSeconds: 0,
  rowsRead: 0,
  rowsWritten: 0,
};

describe('docs/scale.md', () => {
  const latest = JSON.parse(read('bench/results/scale.json')) as ScaleRun;

  it('has the figures of the published run', () => {
    const page = read('docs/scale.md');
    expect(page).toBe(writeBlocks(page, scaleBlocks(latest)));
  });

  it('says that no shards are needed only while the processor takes 1,000 approvals a second', () => {
    const { saturated, counted } = latest;
    const ms = saturated.apart.cpuMsPerReport ?? Number.NaN;
    expect(1_000 / ms / counted.approval.workspace.requests).toBeGreaterThan(1_000);
    expect(read('docs/scale.md')).toContain('takes more than 1,000 approvals a second');
  });
});

describe('the bill', () => {
  it('agrees with the examples of the price list', () => {
    // "Pricing" of Durable Objects, example 1, before the list rounds the requests up to a million.
    const coordination = { ...NOTHING, objectRequests: 1_500_000, activeSeconds: 1_000_000 };
    expect(monthlyBill(coordination)).toMatchObject({ requests: 0.075, duration: 0, worker: 5 });
    // Example 3: 100 sockets with a message a second, never asleep.
    const month = 100 * 3_600 * 24 * 30;
    const awake = { ...NOTHING, objectRequests: 100, socketMessages: month, activeSeconds: month };
    const { requests, duration } = monthlyBill(awake);
    expect(requests).toBeCloseTo(1.79, 1);
    expect(duration).toBeCloseTo(409.7, 1);
    // "Pricing" of Workers, example 4.
    const busy = { ...NOTHING, workerRequests: 100 * MILLION, workerCpuMs: 700 * MILLION };
    expect(monthlyBill(busy).worker).toBeCloseTo(45.4);
  });

  it('charges nothing below what the plan includes, and list prices without a plan', () => {
    const small = { ...NOTHING, rowsWritten: 50 * MILLION, objectRequests: MILLION };
    expect(monthlyBill(small).total).toBe(5);
    expect(priceOf(small)).toMatchObject({ rows: 50, requests: 0.15 });
    expect(storagePrice(5e9)).toBe(0);
    expect(storagePrice(15e9)).toBeCloseTo(2);
  });

  it('is the sum of its parts', () => {
    const { worker, requests, duration, rows, total } = priceOf(scaled(OBJECT_A_CHAT, MILLION));
    expect(total).toBeCloseTo(worker + requests + duration + rows);
    expect(rows).toBeCloseTo(2.003);
  });
});

describe('the usage of an approval', () => {
  const counted = {
    session: { ...NO_COSTS, requests: 3, rowsWritten: 3, alarmMoves: 1 },
    workspace: { ...NO_COSTS, requests: 2, rowsWritten: 5, rowsRead: 20 },
  };

  it('counts moved alarms as rows, and the alarm of the deadline as a request', () => {
    const usage = usageOfApproval(counted, { callWaitsS: 0, answerReportedAfterS: 1 });
    expect(usage).toMatchObject({ rowsWritten: 9, rowsRead: 20, objectRequests: 6 });
    expect(usage.activeSeconds).toBeCloseTo(0.25 + 1 + 0.06);
  });

  it('pays for the seconds of a pending call', () => {
    const shape = { callWaitsS: 8, answerReportedAfterS: 1 };
    expect(usageOfApproval(counted, shape).activeSeconds).toBeCloseTo(8 + 1 + 0.06);
    const [own, hibernating] = priceRows(counted, shape);
    expect(own?.dollars).toBeGreaterThan((hibernating?.dollars ?? 0) + 12);
  });

  it('gives no price to a system that has none', () => {
    const rows = priceRows(counted, { callWaitsS: 0, answerReportedAfterS: 1 });
    expect(rows.filter(({ dollars }) => dollars === undefined).map(({ parts }) => parts)).toEqual([
      'no list price',
    ]);
  });
});

describe('the simulation', () => {
  const scene = {
    sessions: 400,
    open: 150,
    approvalsPerSecond: 4,
    seconds: 40,
    log: () => undefined,
  };

  it('applies two reports of every approval, and leaves open what was open', async () => {
    const result = await simulate({ ...scene, folder });
    expect(result).toMatchObject({
      approvals: 160,
      reportsPerApproval: 2,
      mostReportsInASecond: 8,
    });
    expect(result.workspaceBytes.perApproval).toBeGreaterThan(0);
    expect(result.mostReportsInASecond).toBeLessThan(OBJECT_LIMITS.requestsPerSecond);
  });

  it('refuses a scene with fewer sessions than it uses', async () => {
    await expect(simulate({ ...scene, sessions: 200, folder })).rejects.toThrow('310 sessions');
  });

  it('stops at a report that the workspace does not take', async () => {
    const life = await liveOnce(1_800_000_000_000, 1_800_000_030_000);
    const own = mkdtempSync(path.join(folder, 'gap-'));
    const workspace = new SharedWorkspace(own, 1_800_000_000_000);
    try {
      workspace.apply(renamed(life.created, 'session-9'));
      expect(() => workspace.apply(renamed(life.answered, 'session-9'))).toThrow('reported 5');
    } finally {
      workspace.close();
    }
  });

  it('sends question and answer of a batched life in one report', async () => {
    const life = await liveOnce(1_800_000_000_000, 1_800_000_000_010, true);
    const report = JSON.parse(life.answered) as Report;
    expect(report).toMatchObject({ after: 1, head: 5, closed: ['call-1~1'], open: [] });
    expect(report.announcements.map(({ type }) => type)).toEqual([
      'interaction.requested',
      'interaction.resolved',
    ]);
  });
});
