/**
 * When a session reports to its workspace. A bug would look like a question that reaches people late, like a settled one
 * that stays on their screens, or like two commits of the workspace for each question of a busy agent.
 */
import { describe, expect, it, vi } from 'vitest';
import { REPORT_REST_AFTER_MS } from '../../src/session/outbox.ts';
import type { Command } from '../../src/protocol/schema/command.ts';
import { answer, append, askApproval } from '../support/asks.ts';
import { microtasks } from '../support/hand-queue.ts';
import { startedSession } from '../support/session-storage.ts';
import type { SessionWorld } from '../support/session-world.ts';

const NOTE = append({ type: 'assistant_text', payload: { text: 'Working' } });

/** Advances the clock and runs the timers that are over by then. */
async function pass(world: SessionWorld, ms: number): Promise<void> {
  world.now += ms;
  world.later.runUntil(world.now);
  await microtasks();
}

async function quietSession(): Promise<SessionWorld> {
  const world = await startedSession();
  await world.quiet();
  world.workspace.reports.length = 0;
  return world;
}

const ask = (count: number) => askApproval({ toolCallId: `call-${count}` });
const approve = (count: number) => answer(`call-${count}~1`, { decision: 'approve' });

describe('a report', () => {
  it('[OUT-2, INBOX-1] of a question leaves within a quarter of a second', async () => {
    const world = await quietSession();
    world.must(ask(1));
    await pass(world, 249);
    expect(world.workspace.reports).toHaveLength(0);
    await pass(world, 1);
    expect([...world.workspace.open.keys()]).toEqual(['call-1~1']);
  });

  it.each<readonly [string, Command]>([
    ['an answer', approve(1)],
    ['an event of the agent', NOTE],
    ['a cancel', { type: 'interaction.cancel', interactionId: 'call-1~1' }],
    ['a changed mode', { type: 'session.update', changes: { permissionMode: 'acceptEdits' } }],
  ])('[OUT-2] of %s leaves within a second', async (_, command) => {
    const world = await quietSession();
    world.must(ask(1));
    await pass(world, 250);
    world.must(command);
    await pass(world, REPORT_REST_AFTER_MS - 1);
    expect(world.workspace.reports).toHaveLength(1);
    await pass(world, 1);
    expect(world.workspace.reports).toHaveLength(2);
    expect(world.workspace.head).toBe(world.log().length);
  });

  it('[OUT-2, INBOX-1] of a new title leaves within a quarter of a second', async () => {
    const world = await quietSession();
    world.must({ type: 'session.update', changes: { title: 'Deploy' } });
    await pass(world, 250);
    expect(world.workspace.reports).toHaveLength(1);
  });

  it('[OUT-2] of others who are asked leaves within a quarter of a second', async () => {
    const world = await quietSession();
    world.must(ask(1));
    await pass(world, 250);
    world.must({
      type: 'interaction.handover',
      interactionId: 'call-1~1',
      audience: { subjects: ['bo'] },
    });
    await pass(world, 250);
    expect(world.workspace.announced.map(({ type }) => type)).toContain('interaction.handed_over');
  });

  it('[OUT-2, INBOX-2] of anything leaves within a quarter of a second while someone follows the inbox', async () => {
    const world = await quietSession();
    world.workspace.isWatched = true;
    world.must(ask(1));
    await pass(world, 250);
    world.must(approve(1));
    await pass(world, 250);
    expect(world.workspace.open.size).toBe(0);
    world.workspace.isWatched = false;
    world.must(NOTE);
    await pass(world, 250);
    const { length } = world.workspace.reports;
    world.must(NOTE);
    await pass(world, 250);
    expect(world.workspace.reports).toHaveLength(length);
    await pass(world, 750);
    expect(world.workspace.reports).toHaveLength(length + 1);
  });

  it('[OUT-2] of an answer goes with the next question: one for each question of a busy agent', async () => {
    const world = await quietSession();
    for (let count = 1; count <= 10; count += 1) {
      world.must(ask(count));
      await pass(world, 350);
      expect([...world.workspace.open.keys()], 'people see what is open').toEqual([
        `call-${count}~1`,
      ]);
      world.must(approve(count));
      await pass(world, 350);
    }
    expect(world.workspace.reports).toHaveLength(10);
    await pass(world, 650);
    expect(world.workspace.reports).toHaveLength(11);
    expect(world.workspace.audit).toHaveLength(10);
    expect(world.workspace.open.size).toBe(0);
    expect(world.later.size).toBe(0);
  });

  it('[OUT-2, OUT-1] announces each settlement once and before the next question', async () => {
    const world = await quietSession();
    world.must(ask(1));
    await pass(world, 350);
    world.must(approve(1));
    await pass(world, 350);
    world.must(ask(2));
    await pass(world, 350);
    expect(world.workspace.announced.map(({ type }) => type).slice(-3)).toEqual([
      'interaction.requested',
      'interaction.resolved',
      'interaction.requested',
    ]);
    await pass(world, 10_000);
    expect(world.workspace.announced.slice(1)).toHaveLength(3);
  });

  it('[OUT-2] that a crash has cut off follows after waking, with or without an alarm', async () => {
    for (const alarm of ['kept', 'lost'] as const) {
      const world = await quietSession();
      world.must(ask(1));
      await pass(world, 350);
      world.must(approve(1));
      await pass(world, 350);
      expect(world.alarm.armedAt, 'something wakes the session').not.toBeNull();
      world.restart({ alarm });
      await pass(world, 250);
      expect(world.workspace.open.size).toBe(0);
      expect(world.workspace.audit).toHaveLength(1);
    }
  });

  it('[OUT-2] reads from storage only what was written before the session woke', async () => {
    const world = await quietSession();
    const readLog = vi.spyOn(world.session.ports.store, 'readLog');
    world.must(ask(1));
    await pass(world, 250);
    world.must(approve(1));
    await pass(world, REPORT_REST_AFTER_MS);
    expect(readLog).not.toHaveBeenCalled();
    expect(world.workspace.head).toBe(world.log().length);
    world.must(ask(2));
    world.restart({ alarm: 'kept' });
    const readAfterwards = vi.spyOn(world.session.ports.store, 'readLog');
    world.must(approve(2));
    await pass(world, REPORT_REST_AFTER_MS);
    expect(readAfterwards).toHaveBeenCalledTimes(1);
    expect(world.workspace.head).toBe(world.log().length);
    expect(world.workspace.audit).toHaveLength(2);
  });

  it('[OUT-2] takes along what a reply waits for, at once', async () => {
    const world = await quietSession();
    world.must(NOTE);
    await world.ask(askApproval({ toolCallId: 'call-9', detached: true }));
    expect(world.workspace.head).toBe(world.log().length);
    expect(world.later.size, 'a timer would keep the session in memory').toBe(0);
  });

  it('[OUT-2, INBOX-1] leaves what is written meanwhile to the next one, a quarter of a second later', async () => {
    const world = await quietSession();
    world.workspace.hold();
    world.must(ask(1));
    await pass(world, 250);
    world.must(approve(1));
    world.must(ask(2));
    world.workspace.release();
    await pass(world, 249);
    expect(world.workspace.reports.map(({ head }) => head)).toEqual([3]);
    await pass(world, 1);
    expect([...world.workspace.open.keys()]).toEqual(['call-2~1']);
  });

  it('[OUT-2] that falls due before the reply to the one before follows it at once', async () => {
    const world = await quietSession();
    world.workspace.hold();
    world.must(ask(1));
    await pass(world, 250);
    world.must(ask(2));
    await pass(world, 250);
    world.workspace.release();
    await microtasks();
    expect(world.workspace.mostAtOnce).toBe(1);
    expect([...world.workspace.open.keys()]).toEqual(['call-1~1', 'call-2~1']);
  });
});
