/**
 * Reports to the workspace. A bug would look like an inbox that is empty while an interaction is open, or that shows an
 * interaction that was answered long ago.
 */
import { describe, expect, it } from 'vitest';
import { countBytes } from '../../src/protocol/bytes.ts';
import { answer, append, askApproval, askQuestion } from '../support/asks.ts';
import { sessionAfter, SqliteStorage, startedSession } from '../support/session-storage.ts';
import { microtasks } from '../support/hand-queue.ts';
import { SessionWorld } from '../support/session-world.ts';

const APPROVE = answer('call-1~1', { decision: 'approve' });
const NOTE = append({ type: 'assistant_text', payload: { text: 'Working' } });

describe('a reply that waits for the report', () => {
  it.each([
    ['the end of a session', { type: 'session.delete' } as const],
    ['a question left for later', askQuestion({ detached: true })],
  ])(
    '[OUT-2, INBOX-1] %s: the reply waits until the workspace has the report',
    async (_, command) => {
      const world = await startedSession();
      await world.quiet();
      const { length } = world.log();
      world.workspace.hold();
      let isReplied = false;
      const asked = world.ask(command).then((handled) => {
        isReplied = true;
        return handled;
      });
      await microtasks();
      expect(isReplied).toBe(false);
      expect(world.workspace.head).toBe(length);
      world.workspace.release();
      expect(await asked).toMatchObject({ ok: true, mustReportFirst: true });
      expect(world.workspace.head).toBeGreaterThan(length);
    },
  );

  it('[OUT-2, API-2] a repeat of it waits too, when the first one died on the way', async () => {
    const world = await startedSession();
    const ask = askQuestion({ detached: true });
    world.must(ask, { key: 'key-00001' });
    world.restart();
    const replayed = await world.ask(ask, { key: 'key-00001' });
    expect(replayed).toMatchObject({ ok: true, replayed: true });
    expect([...world.workspace.open.keys()]).toEqual(['call-1~1']);
  });

  it('[OUT-2, GATE-3] with the workspace down the reply comes all the same, and the report later', async () => {
    const world = await startedSession();
    world.workspace.isDown = true;
    expect(await world.ask(askQuestion({ detached: true }))).toMatchObject({ ok: true });
    expect(world.workspace.open.size).toBe(0);
    world.workspace.isDown = false;
    await world.fire();
    expect([...world.workspace.open.keys()]).toEqual(['call-1~1']);
  });

  it('[INT-8] any other command is answered at once and reported a moment later', async () => {
    const world = new SessionWorld(new SqliteStorage());
    expect(world.must({ type: 'session.create' }).mustReportFirst).toBe(false);
    expect(world.workspace.head).toBe(0);
    expect(world.must(askApproval()).mustReportFirst).toBe(false);
    expect(world.workspace.open.size).toBe(0);
    await world.quiet();
    expect([...world.workspace.open.keys()]).toEqual(['call-1~1']);
    expect(world.must(APPROVE).mustReportFirst).toBe(false);
    await world.quiet();
    expect(world.workspace.open.size).toBe(0);
  });
});

describe('the log as outbox', () => {
  it('[OUT-2] a crash between commit and report: the report follows after waking', async () => {
    const world = await startedSession();
    world.must(askApproval());
    world.restart();
    await world.quiet();
    expect([...world.workspace.open.keys()]).toEqual(['call-1~1']);
    world.must(APPROVE);
    world.restart();
    await world.quiet();
    expect(world.workspace.open.size).toBe(0);
    expect(world.workspace.audit).toHaveLength(1);
  });

  it('[OUT-2] a crash between report and confirmation: reported twice, counted once', async () => {
    const world = await sessionAfter(askApproval());
    world.must(APPROVE);
    await world.quiet();
    const { head, reports } = world.workspace;
    const told = reports.length;
    world.restart();
    await world.quiet();
    expect(reports.length).toBeGreaterThan(told);
    expect(world.workspace.audit).toHaveLength(1);
    expect(world.workspace.head).toBe(head);
  });

  it('[OUT-2] the confirmed seq is stored with the next row, and nothing before it is reported again', async () => {
    const world = await sessionAfter(askApproval(), NOTE);
    expect(world.store.load()?.reportedSeq).toBe(0);
    world.must(NOTE);
    expect(world.store.load()?.reportedSeq).toBe(4);
    world.restart();
    await world.quiet();
    expect(world.workspace.reports.at(-1)).toMatchObject({ after: 4, head: 5 });
  });

  it('[OUT-2] a workspace with a lower head gets a report from there', async () => {
    const world = await sessionAfter(askApproval());
    world.workspace.head = 1;
    world.workspace.open.clear();
    world.workspace.reports.length = 0;
    world.must(NOTE);
    await world.quiet();
    expect(world.workspace.reports.map(({ after, head }) => [after, head])).toEqual([
      [3, 4],
      [1, 4],
    ]);
    expect([...world.workspace.open.keys()]).toEqual(['call-1~1']);
  });

  it('[OUT-2] a workspace that knows more already is believed', async () => {
    const world = await sessionAfter(askApproval(), NOTE);
    world.restart();
    world.workspace.reports.length = 0;
    await world.quiet();
    expect(world.workspace.reports).toHaveLength(1);
    world.must(NOTE);
    await world.quiet();
    expect(world.workspace.reports.map(({ after }) => after)).toEqual([0, 4]);
  });

  it('[INBOX-1] an opening and its quick answer are one report, and nothing stays in the inbox', async () => {
    const world = await startedSession();
    world.workspace.reports.length = 0;
    world.must(askApproval());
    world.must(APPROVE);
    await world.quiet();
    expect(world.workspace.reports).toMatchObject([{ open: [], closed: ['call-1~1'] }]);
    expect(world.workspace.audit).toMatchObject([
      { outcome: 'approved', subject: 'ada', via: 'web' },
    ]);
  });

  it('[OUT-2, QST-8] an open and its quick answer are both announced, also over a crash', async () => {
    const crashes: ((world: SessionWorld) => void | Promise<void>)[] = [
      () => undefined,
      (world) => world.restart(),
      async (world) => {
        await world.quiet();
        // The workspace has the whole report, and the session does not know.
        world.restart();
      },
    ];
    for (const crash of crashes) {
      const world = await startedSession();
      await world.quiet();
      world.must(askApproval());
      world.must(APPROVE);
      await crash(world);
      await world.quiet();
      expect(world.workspace.announced.map(({ type }) => type)).toEqual([
        'session.created',
        'interaction.requested',
        'interaction.resolved',
      ]);
    }
  });

  it('[OUT-2] announces all of a long log, in reports of a bounded size', async () => {
    const world = await startedSession();
    world.workspace.isDown = true;
    const command = '\u{1f600}'.repeat(2_000);
    for (let index = 0; index < 300; index += 1) {
      world.must(askApproval({ toolCallId: `call-${index}` }, { input: { command } }));
      world.must({ type: 'interactions.cancel', reason: '\u{1f600}'.repeat(500) });
    }
    world.workspace.isDown = false;
    await world.fire();
    await world.quiet();
    const { announced, reports } = world.workspace;
    expect(announced.filter(({ type }) => type === 'interaction.requested')).toHaveLength(300);
    expect(announced.filter(({ type }) => type === 'interaction.resolved')).toHaveLength(300);
    expect(reports.length).toBeGreaterThan(2);
    for (const report of reports) {
      expect(countBytes(JSON.stringify(report))).toBeLessThan(2.5 * 1024 * 1024);
    }
  });

  it('[OUT-2] a long log is reported in stretches', async () => {
    const world = await startedSession();
    world.workspace.isDown = true;
    const batch = append(...Array.from({ length: 900 }, () => NOTE.events).flat());
    for (let times = 0; times < 3; times += 1) world.must(batch);
    await world.quiet();
    world.workspace.isDown = false;
    await world.fire();
    expect(world.workspace.reports.map(({ after, head }) => [after, head])).toEqual([
      [0, 1_000],
      [1_000, 2_000],
      [2_000, 2_701],
    ]);
  });
});

describe('one report at a time', () => {
  it('[OUT-2] an event during a report is reported by the same loop, never twice at once', async () => {
    const world = await startedSession();
    world.workspace.hold();
    world.must(askApproval());
    world.later.run();
    const first = world.session.outbox.reportNow();
    const detached = world.ask(askQuestion({ toolCallId: 'call-2', detached: true }));
    world.must(askApproval({ toolCallId: 'call-3' }));
    world.later.run();
    await microtasks();
    world.workspace.release();
    await Promise.all([first, detached]);
    await world.quiet();
    expect(world.workspace.mostAtOnce).toBe(1);
    expect([...world.workspace.open.keys()].toSorted()).toEqual([
      'call-1~1',
      'call-2~1',
      'call-3~1',
    ]);
    expect(world.workspace.head).toBe(world.log().length);
  });

  it.each([
    ['is told too', APPROVE],
    [
      'is known before its sender hears, if it must be',
      askQuestion({ toolCallId: 'call-2', detached: true }),
    ],
  ])('[OUT-2] what happens in the moment in which a telling ends %s', async (_, command) => {
    for (let turns = 0; turns < 12; turns += 1) {
      const world = await startedSession();
      world.workspace.hold();
      world.must(askApproval());
      world.later.run();
      world.workspace.release();
      for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
      const handled = await world.ask(command);
      if (handled.ok && !handled.mustReportFirst) await world.quiet();
      expect(world.workspace.head, `after ${turns} turns`).toBe(world.log().length);
    }
  });
});
