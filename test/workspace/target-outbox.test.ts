/** What the workspace hands over to targets. A bug here loses an announcement between the log and a receiver. */
import { describe, expect, it, vi } from 'vitest';
import { LIMITS } from '../../src/protocol/limits.ts';
import { ReportingSession } from './reporting-session.ts';
import { MINUTE, OLGA, valueOf, WorkspaceHarness } from './workspace-harness.ts';

const MAKER = {
  by: OLGA,
  maker: { credential: 'key_admin' },
  workspace: 'main',
  origin: 'https://holdpoint.example',
};
const WEBHOOK = { type: 'webhook', url: 'https://hooks.example.com/', events: ['*'] } as const;
type Wanted = Parameters<WorkspaceHarness['workspace']['receivers']['createTarget']>[0];

async function withTarget(wanted: Partial<Pick<Wanted, 'events' | 'filter' | 'audience'>> = {}) {
  const harness = new WorkspaceHarness();
  const made = valueOf(
    await harness.workspace.receivers.createTarget({ ...WEBHOOK, events: ['*'], ...wanted }, MAKER),
  );
  harness.handedOver.length = 0;
  return { harness, id: made.target.id, secret: made.secret };
}

/** Opens an interaction, and reports from where the last report ended. */
function ask(harness: WorkspaceHarness, session: ReportingSession, call: string) {
  const after = session.head === 1 ? 0 : session.head;
  session.ask(`${call}~1`, null);
  return harness.workspace.applyReport(session.report(after));
}

/** Lets calls that are under way end. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
}

const announced = (harness: WorkspaceHarness) =>
  harness.handedOver.flatMap(({ announcements }) =>
    announcements.map(({ announcement }) => `${announcement.seq} ${announcement.type}`),
  );
const stored = (harness: WorkspaceHarness) => harness.store.targetOutbox.list().length;

describe('1,000 targets', () => {
  it('[OUT-1] are read once, for every list and for every report, and one more is refused', async () => {
    const harness = new WorkspaceHarness();
    const create = () =>
      harness.workspace.receivers.createTarget({ ...WEBHOOK, events: ['turn.ended'] }, MAKER);
    valueOf(await create());
    const [stored] = harness.store.targets.list();
    if (stored === undefined) throw new Error('Nothing is stored');
    // One transaction for most of them: each creation by itself reads the list anew.
    harness.store.write(() => {
      for (let count = 2; count < LIMITS.targets; count += 1)
        harness.store.targets.put({ ...stored, id: `tgt_${count}` });
    });
    valueOf(await create());
    expect(await create()).toMatchObject({ code: 'limit_reached' });
    harness.workspace.receivers.targets();
    const read = vi.spyOn(harness.store.targets, 'list');
    for (let time = 0; time < 10; time += 1) {
      expect(harness.workspace.receivers.targets()).toHaveLength(LIMITS.targets);
      ask(harness, new ReportingSession(`session-${time}`), 'call_1');
    }
    expect(read).not.toHaveBeenCalled();
  });
});

describe('the outbox of targets', () => {
  it('[OUT-1] writes nothing without targets', () => {
    const harness = new WorkspaceHarness();
    const session = new ReportingSession('a');
    session.ask('call_1~1', null);
    harness.workspace.applyReport(session.report(0));
    expect(harness.handedOver).toEqual([]);
    expect(stored(harness)).toBe(0);
  });

  it('[OUT-1, OUT-2] hands over each announcement of a report once, with the settings', async () => {
    const { harness, id, secret } = await withTarget({ audience: 'Ops' });
    const session = new ReportingSession('a');
    session.ask('call_1~1', null);
    const report = session.report(0);
    harness.workspace.applyReport(report);
    harness.workspace.applyReport(report);
    await settle();
    expect(announced(harness)).toEqual(['2 interaction.requested']);
    expect(harness.handedOver[0]).toMatchObject({
      targetId: id,
      config: { audience: 'Ops', isEnabled: true, secrets: [{ text: secret }] },
    });
  });

  it('[OUT-1] an announcement costs one row, and confirmed rows are removed by the alarm', async () => {
    const { harness } = await withTarget({ events: ['interaction.requested'] });
    await harness.pass(2 * MINUTE);
    expect(stored(harness)).toBe(0);
    const session = new ReportingSession('a');
    for (const call of ['call_1', 'call_2', 'call_3']) {
      ask(harness, session, call);
      await settle();
    }
    expect(announced(harness)).toHaveLength(3);
    expect(stored(harness)).toBe(1);
    await harness.pass(2 * MINUTE);
    expect(stored(harness)).toBe(0);
    expect(announced(harness)).toHaveLength(3);
  });

  it('[OUT-2] hands over again what a target did not confirm, and overwrites none of it', async () => {
    const { harness } = await withTarget({ events: ['interaction.requested'] });
    await harness.pass(2 * MINUTE);
    const session = new ReportingSession('a');
    let isDown = true;
    harness.onHandOver = () => {
      if (isDown) throw new Error('out of reach');
    };
    for (const call of ['call_1', 'call_2', 'call_3']) {
      ask(harness, session, call);
      await settle();
    }
    expect(stored(harness)).toBe(3);
    harness.wake();
    harness.handedOver.length = 0;
    isDown = false;
    await harness.pass(2 * MINUTE);
    expect(announced(harness)).toEqual([2, 3, 4].map((seq) => `${seq} interaction.requested`));
    expect(stored(harness)).toBe(0);
  });

  it('[OUT-2] an announcement that comes while rows are removed is kept', async () => {
    const { harness } = await withTarget({ events: ['interaction.requested'] });
    const session = new ReportingSession('a');
    const next = (call: string) => {
      ask(harness, session, call);
    };
    next('call_1');
    await settle();
    let isDown = true;
    harness.onHandOver = () => {
      if (isDown) throw new Error('out of reach');
    };
    next('call_2');
    next('call_3');
    await settle();
    await harness.ring();
    next('call_4');
    await settle();
    harness.wake();
    harness.handedOver.length = 0;
    isDown = false;
    await harness.pass(2 * MINUTE);
    expect(announced(harness)).toHaveLength(3);
  });

  it('[OUT-2] a transaction that fails leaves nothing in memory', async () => {
    const { harness } = await withTarget({ events: ['interaction.requested'] });
    const session = new ReportingSession('a');
    session.ask('call_1~1', null);
    const report = session.report(0);
    const { add } = harness.store.sessions;
    harness.store.sessions.add = () => {
      throw new Error('disk full');
    };
    expect(() => harness.workspace.applyReport(report)).toThrow('disk full');
    await settle();
    expect(announced(harness)).toEqual([]);
    harness.store.sessions.add = add.bind(harness.store.sessions);
    harness.workspace.applyReport(report);
    await settle();
    expect(announced(harness)).toHaveLength(1);
  });

  it('[OUT-1] a target that hangs holds up no other', async () => {
    const { harness, id } = await withTarget();
    const other = valueOf(
      await harness.workspace.receivers.createTarget({ ...WEBHOOK, events: ['*'] }, MAKER),
    );
    harness.handedOver.length = 0;
    harness.onHandOver = ({ targetId }) =>
      targetId === id ? new Promise(() => undefined) : undefined;
    const session = new ReportingSession('a');
    for (const call of ['call_1', 'call_2']) {
      expect(ask(harness, session, call)).toBe(session.head);
      await settle();
    }
    const calls = harness.handedOver.filter(({ targetId }) => targetId === other.target.id);
    expect(calls).toHaveLength(2);
  });

  it('[OUT-1] chooses types, kinds, tools and sessions', async () => {
    const cases: [Partial<Wanted>, number][] = [
      [{ events: ['session.created'] }, 0],
      [{ events: ['interaction.requested'], filter: { kinds: ['approval'] } }, 1],
      [{ events: ['*'], filter: { kinds: ['question'] } }, 0],
      [{ events: ['*'], filter: { tools: ['Other'] } }, 0],
      [{ events: ['*'], filter: { sessions: 'team-' } }, 1],
      [{ events: ['*'], filter: { sessions: 'eam-' } }, 0],
    ];
    for (const [wanted, count] of cases) {
      const { harness } = await withTarget(wanted);
      const session = new ReportingSession('team-a');
      session.ask('call_1~1', null);
      harness.workspace.applyReport(session.report(0));
      await settle();
      expect(announced(harness), JSON.stringify(wanted)).toHaveLength(count);
    }
  });
});

describe('targets of a workspace', () => {
  it('[OUT-1] are listed without secrets, and every change is in the audit list', async () => {
    const { harness, id, secret } = await withTarget({ audience: 'Ops' });
    const { workspace } = harness;
    expect(
      JSON.stringify([workspace.receivers.targets(), workspace.receivers.target(id)]),
    ).not.toContain(secret);
    await workspace.receivers.updateTarget(id, { events: ['turn.ended'] }, OLGA);
    const rotated = valueOf(await workspace.receivers.rotateTargetSecret(id, OLGA));
    expect(rotated.secret).not.toBe(secret);
    expect(harness.handedOver.at(-1)?.config?.secrets.map(({ text }) => text)).toEqual([
      rotated.secret,
      secret,
    ]);
    await workspace.receivers.deleteTarget(id, OLGA);
    expect(harness.handedOver.at(-1)).toMatchObject({ targetId: id, config: null });
    const { entries } = valueOf(workspace.audit({}));
    const changes = entries.filter(({ what }) => what === 'target').map(({ change }) => change);
    expect(changes).toEqual(['deleted', 'secret rotated', 'updated', 'created']);
    expect(workspace.receivers.target(id)).toMatchObject({ ok: false, code: 'not_found' });
  });

  it('[OUT-1] a deletion reaches the target after a crash', async () => {
    const { harness, id } = await withTarget();
    harness.onHandOver = () => {
      throw new Error('out of reach');
    };
    await harness.workspace.receivers.deleteTarget(id, OLGA);
    harness.wake();
    harness.handedOver.length = 0;
    harness.onHandOver = () => undefined;
    await harness.pass(2 * MINUTE);
    expect(harness.handedOver).toEqual([{ targetId: id, config: null, announcements: [] }]);
  });

  it('[OUT-1] a repeated request creates one target', async () => {
    const harness = new WorkspaceHarness();
    const wanted = { ...WEBHOOK, events: ['*' as const] };
    const first = valueOf(await harness.workspace.receivers.createTarget(wanted, MAKER, 'name'));
    const second = valueOf(await harness.workspace.receivers.createTarget(wanted, MAKER, 'name'));
    expect(second).toEqual(first);
    expect(harness.workspace.receivers.targets()).toHaveLength(1);
    const other = { ...wanted, url: 'https://other.example.com/' };
    expect(await harness.workspace.receivers.createTarget(other, MAKER, 'name')).toMatchObject({
      code: 'idempotency_key_reused',
    });
  });

  it('[OUT-1] a disabled target receives nothing, and goes on when it is enabled', async () => {
    const { harness, id } = await withTarget({ events: ['interaction.requested'] });
    harness.workspace.receivers.disableFailedTarget(id, { at: 5, enabledCount: 1 });
    await settle();
    expect(valueOf(harness.workspace.receivers.target(id))).toMatchObject({
      disabledAt: 5,
      disabledBy: 'failures',
    });
    const session = new ReportingSession('a');
    session.ask('call_1~1', null);
    harness.workspace.applyReport(session.report(0));
    await settle();
    expect(announced(harness)).toEqual([]);
    await harness.workspace.receivers.updateTarget(id, { enabled: true }, OLGA);
    // A late report of the failures before.
    harness.workspace.receivers.disableFailedTarget(id, { at: 6, enabledCount: 1 });
    expect(valueOf(harness.workspace.receivers.target(id)).disabledAt).toBeNull();
    ask(harness, session, 'call_2');
    await settle();
    expect(announced(harness)).toHaveLength(1);
  });

  it('[OUT-3] refuses private addresses, also in a change', async () => {
    const { harness, id } = await withTarget();
    for (const url of [
      'http://hooks.example.com/',
      'https://169.254.169.254/',
      'https://a.internal/',
    ]) {
      const refused = { ok: false, code: 'invalid_request' };
      expect(
        await harness.workspace.receivers.createTarget({ ...WEBHOOK, events: ['*'], url }, MAKER),
      ).toMatchObject(refused);
      expect(await harness.workspace.receivers.updateTarget(id, { url }, OLGA)).toMatchObject(
        refused,
      );
    }
  });
});
