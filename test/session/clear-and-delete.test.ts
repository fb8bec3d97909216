/**
 * Clearing and deleting a session. A bug would look like an agent that waits without end for an erased interaction, or
 * a reused id with the history of another session.
 */
import { describe, expect, it } from 'vitest';
import { answer, append, askApproval, askPlan, askQuestion, sendMessage } from '../support/asks.ts';
import { person, reader } from '../support/callers.ts';
import { sessionAfter } from '../support/session-storage.ts';
import { readEvents, readSnapshot } from '../../src/session/queries.ts';
import type { SessionWorld } from '../support/session-world.ts';

const CLEAR = { type: 'session.clear' } as const;
const DELETE = { type: 'session.delete' } as const;

function busy() {
  return sessionAfter(
    append({ type: 'turn_started', turnId: 'turn-1', payload: {} }),
    askApproval({ turnId: 'turn-1' }, { offers: ['once', 'session'] }),
    sendMessage('Kept for later'),
    askPlan({ toolCallId: 'call-2', detached: true }),
  );
}

function typesAfter(world: SessionWorld, head: number): string[] {
  return world
    .log()
    .slice(head)
    .map((event) => event.type);
}

describe('/clear', () => {
  it.each([
    ['as a command', CLEAR],
    ['as text', sendMessage(' /clear ')],
  ])(
    '[LOG-9, CAN-1] %s: settles what is open, ends the turn, drops the text, then says so',
    async (_, clear) => {
      const world = await busy();
      const before = world.log();
      const waiters = [world.waitFor('call-1~1'), world.waitFor('call-2~1')];
      expect(world.must(clear).body).toEqual({ cancelled: 2 });
      expect(typesAfter(world, before.length)).toEqual([
        'interaction_response',
        'interaction_pending',
        'interaction_response',
        'interaction_pending',
        'turn_ended',
        'context_cleared',
      ]);
      expect(world.log().slice(0, before.length)).toEqual(before);
      expect(world.state?.info).toMatchObject({ turn: null, queued: [] });
      for (const waiter of waiters) {
        expect(waiter.last?.interaction).toMatchObject({
          outcome: 'cancelled',
          reason: 'Session cleared',
          reply: { behavior: 'deny' },
        });
      }
      await world.quiet();
      expect(world.workspace.open.size).toBe(0);
    },
  );

  it('[LOG-9, LOG-1] the log continues at the same seq, also after a restart', async () => {
    const world = await busy();
    world.must(CLEAR);
    const head = world.log().length;
    world.restart();
    world.must(askQuestion({ toolCallId: 'call-3' }));
    expect(world.log().map((event) => event.seq)).toEqual(
      Array.from({ length: head + 2 }, (_, index) => index + 1),
    );
  });

  it('[LOG-9, INT-5] a cancelled interaction stays readable, and its tool call can ask again', async () => {
    const world = await busy();
    world.must(CLEAR);
    const again = askApproval({ turnId: 'turn-1' }, { offers: ['once', 'session'] });
    expect(world.must(again).body).toMatchObject({ interaction: { outcome: 'cancelled' } });
    const reopened = { ...again, common: { ...again.common, reopen: true } };
    expect(world.must(reopened).reply).toMatchObject({ interactionId: 'call-1~2', created: true });
  });
});

describe('deleting', () => {
  it('[LOG-9, CAN-1] settles and says so to everyone, tells the workspace, and erases then', async () => {
    const world = await busy();
    const socket = world.connect({ caller: reader() });
    const waiter = world.waitFor('call-1~1');
    world.workspace.hold();
    world.trace.length = 0;
    const asked = world.ask(DELETE);
    expect(waiter.last?.interaction).toMatchObject({
      outcome: 'cancelled',
      reason: 'Session deleted',
      reply: { behavior: 'deny', message: 'Interaction cancelled' },
    });
    const events = socket.events.map((event) => event.type);
    expect(events.slice(-6)).toEqual([
      'interaction_response',
      'interaction_pending',
      'interaction_response',
      'interaction_pending',
      'turn_ended',
      'session_status',
    ]);
    expect(socket.last).toMatchObject({ type: 'error', error: { code: 'session_deleted' } });
    expect(socket.closed).toMatchObject({ code: 4404 });
    expect(world.log().length).toBeGreaterThan(0);

    world.workspace.release();
    expect(await asked).toMatchObject({ ok: true, reply: { type: 'done' } });
    expect(world.workspace).toMatchObject({ deletedAt: world.now });
    expect(world.workspace.open.size).toBe(0);
    expect(world.workspace.audit).toHaveLength(3);
    expect(world.log()).toEqual([]);
    expect(world.trace.filter((step) => step !== 'send')).toEqual([
      'commit',
      'close 1000',
      'close 4404',
      'arm',
      'tell',
      'erase',
    ]);
  });

  it('[LOG-9] leaves no message in the rows', async () => {
    const world = await sessionAfter(
      { type: 'session.update', changes: { title: 'Secret', metadata: { note: 'Secret' } } },
      askApproval({}, { input: { command: 'Secret' }, offers: ['session'] }),
      sendMessage('Secret'),
      answer('call-1~1', { decision: 'approve', offer: 'session', everyCommand: true }),
    );
    world.must(sendMessage('Secret'), { key: 'Secret-key' });
    await world.ask(DELETE, { key: 'Secret-delete' });
    const { sqlite } = world.storage;
    const rows = ['log', 'meta'].map((table) => sqlite.prepare(`SELECT * FROM ${table}`).all());
    expect(JSON.stringify(rows)).not.toContain('Secret');
  });

  it('[LOG-9] a deleted id is gone for every use and never used again', async () => {
    const world = await busy();
    const create = () => world.handle({ type: 'session.create' });
    world.must(DELETE);
    const refuses = () => {
      expect(create()).toMatchObject({ ok: false, code: 'session_deleted' });
      expect(world.handle(askQuestion())).toMatchObject({ code: 'not_found' });
      expect(world.handle(answer('call-1~1', {}))).toMatchObject({ code: 'not_found' });
      expect(world.handle(DELETE)).toMatchObject({ code: 'not_found' });
      expect(readSnapshot(world.session)).toMatchObject({ code: 'not_found' });
      expect(readEvents(world.session, 0, 10, person())).toMatchObject({ code: 'not_found' });
      expect(world.attach(world.subscription())).toMatchObject({ code: 'not_found' });
    };
    refuses();
    world.restart();
    refuses();
    await world.quiet();
    expect(world.log()).toEqual([]);
    refuses();
    world.restart();
    refuses();
    await world.quiet();
    expect(world.log()).toEqual([]);
  });

  it('[LOG-9, OUT-2] with the workspace down, it is erased after its last report', async () => {
    const world = await busy();
    world.workspace.isDown = true;
    expect(await world.ask(DELETE)).toMatchObject({ ok: true });
    const log = world.log();
    expect(log.at(-1)).toMatchObject({ type: 'session_status', payload: { status: 'deleted' } });
    await world.fire();
    expect(world.log()).toEqual(log);
    world.workspace.isDown = false;
    await world.fire();
    expect(world.workspace.deletedAt).toBe(log.at(-1)?.at);
    expect(world.log()).toEqual([]);
  });

  it('[LOG-9] an erasing that fails is tried again', async () => {
    const world = await busy();
    world.beforeErase = () => {
      throw new Error('disk');
    };
    world.must(DELETE);
    await world.quiet();
    expect(world.log().length).toBeGreaterThan(0);
    expect(world.warned).toHaveLength(1);
    world.beforeErase = () => undefined;
    await world.fire();
    expect(world.log()).toEqual([]);
  });

  it('[LOG-9] a session that dies between its end and its erasure is woken for it within seconds', async () => {
    const world = await busy();
    world.must(DELETE);
    world.restart();
    expect(world.log().length).toBeGreaterThan(0);
    expect(world.alarm.armedAt).toBeLessThanOrEqual(world.now + 5_000);
    await world.fire();
    expect(world.log()).toEqual([]);
  });

  it('[AUTH-6] only an admin deletes', async () => {
    const world = await busy();
    const head = world.log().length;
    expect(world.handle(DELETE, { caller: person() })).toMatchObject({ code: 'forbidden' });
    expect(world.log()).toHaveLength(head);
  });
});
