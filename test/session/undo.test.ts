/**
 * A person who takes a decision back against an agent that takes it, in every way an agent can, with restarts and failing
 * writes. A bug here looks like an agent that acts on an approval that was taken back, or like a person who is told that it
 * was while the agent acts.
 */
import { describe, expect, it } from 'vitest';
import { acknowledgeOutcome } from '../../src/session/acknowledge.ts';
import { listInteractions, readEvents, readInteraction } from '../../src/session/queries.ts';
import { answer, askApproval } from '../support/asks.ts';
import { agent, person } from '../support/callers.ts';
import { MINUTE, SECOND } from '../support/core-world.ts';
import { sessionAfter } from '../support/session-storage.ts';
import type { SessionWorld } from '../support/session-world.ts';

const UNDO = { type: 'interaction.undo', interactionId: 'call-1~1' } as const;
const APPROVE = answer('call-1~1', { decision: 'approve' });
const ASK = askApproval({ agentInstance: 'instance-a' });

const decided = () => sessionAfter(ASK, APPROVE);

/** Every way in which an agent learns of an outcome. */
const TAKES: readonly (readonly [string, (world: SessionWorld) => unknown])[] = [
  ['reads the record', ({ session }) => readInteraction(session, 'call-1~1', agent())],
  ['waits for it', (world) => world.waitFor('call-1~1')],
  ['acknowledges it', ({ session }) => acknowledgeOutcome(session, 'call-1~1', 'call-1', agent())],
  ['asks again', (world) => world.handle(ASK)],
  [
    'asks again as its next instance',
    (world) => world.handle(askApproval({ toolCallId: 'call-2', agentInstance: 'instance-b' })),
  ],
  ['reads the log', ({ session }) => readEvents(session, 0, 100, agent())],
  ['follows the log', (world) => world.connect({ caller: agent() })],
  ['is another agent and follows the log', (world) => world.connect({ caller: agent('helper') })],
  [
    'lists what was decided',
    ({ session }) => listInteractions(session, { status: 'settled', limit: 10 }, agent()),
  ],
];

describe('an agent that takes a decision against a person who takes it back', () => {
  it.each(TAKES)('[INT-19, INT-16] keeps it if it was first: it %s', async (_, take) => {
    const world = await decided();
    take(world);
    const head = world.log().length;
    expect(world.handle(UNDO)).toMatchObject({ ok: false, code: 'not_undoable' });
    world.restart();
    expect(world.handle(UNDO)).toMatchObject({ ok: false, code: 'not_undoable' });
    expect(world.record('call-1~1')).toMatchObject({ outcome: 'approved' });
    expect(world.log()).toHaveLength(head);
  });

  it.each(TAKES)('[INT-19] finds the question open if it was late: it %s', async (_, take) => {
    const world = await decided();
    world.must(UNDO);
    for (const restart of [false, true]) {
      if (restart) world.restart();
      const taken = JSON.stringify(take(world)) ?? '';
      expect(taken).not.toContain('"behavior":"allow"');
      expect([...(world.state?.open.keys() ?? [])]).toEqual(['call-1~2']);
    }
    expect(world.folded()).toEqual(world.state);
  });

  it('[INT-19, INT-8] waits under the first id, and gets the second decision alone', async () => {
    const world = await decided();
    world.must(UNDO);
    const socket = world.waitFor('call-1~1');
    expect(socket.frames).toEqual([]);
    await world.quiet();
    world.evict();
    world.must(answer('call-1~2', { decision: 'deny', reason: 'Not today' }));
    expect(socket.frames).toMatchObject([
      { type: 'settled', interaction: { interactionId: 'call-1~2', outcome: 'denied' } },
    ]);
    expect(world.record('call-1~2').deliveredAt).toBe(world.now);
  });

  it('[INT-19, INT-8] gets a second decision that came before it waited', async () => {
    const world = await decided();
    world.must(UNDO);
    world.must(answer('call-1~2', { decision: 'deny' }));
    expect(world.waitFor('call-1~1').frames).toMatchObject([
      { type: 'settled', interaction: { interactionId: 'call-1~2', outcome: 'denied' } },
    ]);
  });

  it('[INT-19, CAN-1] takes its question back under the first id', async () => {
    const world = await decided();
    world.must(UNDO);
    world.must({ type: 'interaction.cancel', interactionId: 'call-1~1' }, { caller: agent() });
    expect(world.record('call-1~2')).toMatchObject({ outcome: 'cancelled' });
  });

  it('[INT-19] finds the question with the key of its first request, which asks no second time', async () => {
    const world = await sessionAfter();
    world.must(ASK, { key: 'key-0001' });
    world.must(APPROVE);
    world.must(UNDO, { key: 'undo-001' });
    const head = world.log().length;
    world.restart();
    for (const [command, key] of [
      [ASK, 'key-0001'],
      [UNDO, 'undo-001'],
    ] as const) {
      expect(world.must(command, { key }).body).toMatchObject({
        interaction: { interactionId: 'call-1~2', status: 'open' },
      });
    }
    expect(world.log()).toHaveLength(head);
  });

  it('[INT-19] a person still sees what was decided, and by whom', async () => {
    const world = await decided();
    world.must(UNDO);
    expect(readInteraction(world.session, 'call-1~1', person())).toMatchObject({
      value: { outcome: 'superseded', replacedBy: 'call-1~2', undone: { outcome: 'approved' } },
    });
  });

  it('[INT-19] readers who are no agents take nothing', async () => {
    const world = await decided();
    readEvents(world.session, 0, 100, person());
    listInteractions(world.session, { status: 'settled', limit: 10 }, person());
    world.connect();
    readInteraction(world.session, 'call-1~1', person());
    expect(world.handle(UNDO)).toMatchObject({ ok: true });
  });
});

describe('taking back', () => {
  it.each([
    ['log', 'INSERT'],
    ['meta', 'UPDATE'],
    ['meta', 'DELETE'],
  ] as const)(
    '[INT-19, LOG-8] changes nothing where %s %s fails, and works after a restart',
    async (table, on) => {
      const world = await decided();
      world.storage.damage(table, on);
      expect(world.handle(UNDO)).toMatchObject({ code: 'write_failed' });
      world.storage.repair();
      expect(world.record('call-1~1')).toMatchObject({ outcome: 'approved' });
      expect(world.state?.open.size).toBe(0);
      world.restart();
      expect(world.handle(UNDO)).toMatchObject({ ok: true });
      expect(world.folded()).toEqual(world.state);
    },
  );

  it('[INT-19, LOG-8] is refused where an agent read while the disk was full', async () => {
    const world = await decided();
    world.storage.damage('meta', 'UPDATE');
    expect(readEvents(world.session, 0, 100, agent())).toMatchObject({ ok: true });
    world.storage.repair();
    expect(world.handle(UNDO)).toMatchObject({ code: 'not_undoable' });
  });

  it('[INT-19, INT-17] carries a large input over, byte by byte', async () => {
    const world = await sessionAfter();
    const content = `${'x'.repeat(300_000)}end`;
    world.must({ ...askApproval({}, { input: { content } }), mayHold: true });
    const { inputDigest } = world.record('call-1~1');
    world.must(answer('call-1~1', { decision: 'deny', inputDigest }));
    world.must(UNDO);
    const { heldInputs } = world.store;
    expect(heldInputs.part('call-1~2', 0)).toBe(heldInputs.part('call-1~1', 0));
    expect(heldInputs.part('call-1~2', 0)).toContain('end');
  });

  it('[INT-19, INBOX-1] puts the request back into the inbox, and reports each event once', async () => {
    const world = await decided();
    world.now += SECOND;
    world.must(UNDO);
    await world.quiet();
    const report = world.workspace.reports.at(-1);
    expect(report?.open).toMatchObject([{ interactionId: 'call-1~2' }]);
    expect(report?.announcements).toMatchObject([
      { type: 'interaction.requested', undoes: { interactionId: 'call-1~1' } },
    ]);
  });

  it('[INT-19, TIME-1] asks with a deadline of its own, which the alarm keeps', async () => {
    const world = await decided();
    world.now += MINUTE;
    world.must(UNDO);
    await world.pass(10 * MINUTE);
    expect(world.record('call-1~2')).toMatchObject({ outcome: 'expired' });
  });
});
