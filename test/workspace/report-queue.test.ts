/**
 * Reports that arrive together. A bug would look like a report that is applied twice, never, or after a later one of its
 * session, or like one bad report that takes others down.
 */
import { describe, expect, it } from 'vitest';
import { JOIN_MS, ReportQueue } from '../../src/workspace/report-queue.ts';
import { HandQueue, microtasks } from '../support/hand-queue.ts';
import { ReportingSession } from './reporting-session.ts';
import { WorkspaceHarness } from './workspace-harness.ts';

function queueOver(harness: WorkspaceHarness) {
  const timers = new HandQueue();
  const applied: string[] = [];
  const queue = new ReportQueue({
    apply: (report) => {
      applied.push(`${report.sessionId} ${report.head}`);
      if (report.sessionId === 'bad') throw new Error('This cannot be written');
      return harness.workspace.receiveReport(report);
    },
    later: (ms, work) => timers.add(ms, work),
  });
  return { queue, timers, applied };
}

const asking = (id: string) => new ReportingSession(id).ask('a~1', null);

describe('the queue of reports', () => {
  it('[INBOX-1] applies a report after a pause at once', async () => {
    const { queue, timers, applied } = queueOver(new WorkspaceHarness());
    expect(await queue.receive(asking('s-1').report())).toBe(2);
    timers.run(JOIN_MS);
    expect(timers.size, 'a timer would keep the workspace in memory').toBe(0);
    expect(await queue.receive(asking('s-2').report())).toBe(2);
    expect(applied).toEqual(['s-1 2', 's-2 2']);
  });

  it('[INBOX-1, OUT-2] applies those that follow together, in their order, each with its own reply', async () => {
    const harness = new WorkspaceHarness();
    const { queue, timers, applied } = queueOver(harness);
    const session = asking('s-1');
    const replies = [
      queue.receive(session.report()),
      queue.receive(asking('s-2').report()),
      queue.receive(session.settle('a~1').report(2)),
      queue.receive(asking('s-3').report()),
    ];
    await microtasks();
    expect(applied).toEqual(['s-1 2']);
    timers.run(JOIN_MS);
    expect(await Promise.all(replies)).toEqual([2, 2, 3, 2]);
    expect(applied).toEqual(['s-1 2', 's-2 2', 's-1 3', 's-3 2']);
    const inbox = harness.workspace.inbox({});
    expect(inbox.ok && inbox.value.interactions.map(({ sessionId }) => sessionId)).toEqual([
      's-2',
      's-3',
    ]);
    timers.run(JOIN_MS);
    expect(timers.size).toBe(0);
  });

  it('[OUT-2] lets a report fail alone, and takes it when it comes again', async () => {
    const { queue, timers } = queueOver(new WorkspaceHarness());
    await queue.receive(asking('s-1').report());
    const bad = queue.receive(asking('bad').report());
    const good = queue.receive(asking('s-2').report());
    const both = Promise.allSettled([bad, good]);
    timers.run(JOIN_MS);
    expect((await both).map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
    timers.run(JOIN_MS);
    await expect(queue.receive(asking('bad').report())).rejects.toThrow('This cannot be written');
    timers.run(JOIN_MS);
    expect(await queue.receive(asking('s-3').report())).toBe(2);
  });

  it('[INBOX-1] goes on joining while reports keep coming, and none waits longer than that', async () => {
    const { queue, timers, applied } = queueOver(new WorkspaceHarness());
    await queue.receive(asking('s-0').report());
    for (let round = 1; round <= 3; round += 1) {
      const reply = queue.receive(asking(`s-${round}`).report());
      expect(applied).toHaveLength(round);
      timers.run(JOIN_MS);
      expect(await reply).toBe(2);
    }
  });
});
