/**
 * Groups, and which targets are announced to.
 *
 * A bug here asks the wrong people, leaves a notification of a settled request on a screen, or forgets who was put into
 * a group by whom.
 */
import { describe, expect, it } from 'vitest';
import type { StoredAudience } from '../../src/protocol/schema/audience.ts';
import { LIMITS } from '../../src/protocol/limits.ts';
import { ReportingSession } from './reporting-session.ts';
import { OLGA, valueOf, WorkspaceHarness } from './workspace-harness.ts';

const MAKER = {
  by: OLGA,
  maker: { credential: 'key_admin' },
  workspace: 'main',
  origin: 'https://holdpoint.example',
};
const WEBHOOK = { type: 'webhook', url: 'https://hooks.example.com/', events: ['*'] } as const;
type Wanted = Extract<
  Parameters<WorkspaceHarness['workspace']['receivers']['createTarget']>[0],
  { type: 'webhook' }
>;

async function addTarget(
  { workspace }: WorkspaceHarness,
  wanted: Partial<Pick<Wanted, 'name' | 'events' | 'filter' | 'audience'>> = {},
) {
  const made = await workspace.receivers.createTarget(
    { ...WEBHOOK, events: ['*'], ...wanted },
    MAKER,
  );
  return valueOf(made).target.id;
}

/** Types of what the target was handed over, in order; after a wake it may come twice. */
async function announcedTo(harness: WorkspaceHarness, id: string): Promise<string[]> {
  for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
  const handed = harness.handedOver.filter(({ targetId }) => targetId === id);
  const all = handed.flatMap(({ announcements }) => announcements);
  const bySource = new Map(all.map(({ source, announcement }) => [source, announcement.type]));
  return [...bySource.values()];
}

const BOTH = ['interaction.requested', 'interaction.resolved'];

describe('[ROUTE-5] an announcement about an interaction with an audience', () => {
  it.each<
    [
      string,
      Partial<Pick<Wanted, 'name' | 'events' | 'filter' | 'audience'>>,
      StoredAudience,
      boolean,
    ]
  >([
    ['for its subject', { audience: 'ana' }, { subjects: ['ana'] }, true],
    ['for another subject', { audience: 'ben' }, { subjects: ['ana'] }, false],
    ['for a member of the group', { audience: 'ana' }, { groups: ['ops'] }, true],
    ['for a person in another group', { audience: 'ana' }, { groups: ['dev'] }, false],
    ['with its name', { name: 'pager' }, { targets: ['pager'] }, true],
    ['with another name', { name: 'wiki' }, { targets: ['pager'] }, false],
    ['for no person', {}, { subjects: ['ana'], groups: ['ops'] }, false],
  ])('reaches a target %s: as asked', async (_which, wanted, audience, reached) => {
    const harness = new WorkspaceHarness();
    harness.workspace.putGroup('ops', ['ana'], OLGA);
    const id = await addTarget(harness, wanted);
    const session = new ReportingSession('a');
    session.ask('call_1~1', null, { audience }).settle('call_1~1');
    harness.workspace.applyReport(session.report());
    expect(await announcedTo(harness, id)).toEqual(reached ? BOTH : []);
  });

  it('reaches a target by its id, and every target if there is no audience', async () => {
    const harness = new WorkspaceHarness();
    const [one, other] = [await addTarget(harness), await addTarget(harness)];
    const session = new ReportingSession('a');
    session.ask('call_1~1', null, { audience: { targets: [one] } }).ask('call_2~1', null);
    harness.workspace.applyReport(session.report());
    expect(await announcedTo(harness, one)).toHaveLength(2);
    expect(await announcedTo(harness, other)).toHaveLength(1);
  });

  it('is resolved for those who left the group or lost it, and asks them nothing new', async () => {
    for (const leave of [
      ({ workspace }: WorkspaceHarness) => workspace.putGroup('ops', ['ben'], OLGA),
      ({ workspace }: WorkspaceHarness) => workspace.deleteGroup('ops', OLGA),
    ]) {
      const harness = new WorkspaceHarness();
      harness.workspace.putGroup('ops', ['ana'], OLGA);
      const id = await addTarget(harness, { audience: 'ana' });
      const session = new ReportingSession('a');
      const audience = { groups: ['ops'] };
      harness.workspace.applyReport(session.ask('call_1~1', null, { audience }).report());
      const { head } = session;
      await announcedTo(harness, id);
      leave(harness);
      harness.wake();
      session.settle('call_1~1').ask('call_2~1', null, { audience });
      harness.workspace.applyReport(session.report(head));
      expect(await announcedTo(harness, id)).toEqual(BOTH);
    }
  });

  it('[ROUTE-6] reaches only targets whose filter fits the labels of the session', async () => {
    const harness = new WorkspaceHarness();
    const labels = { env: 'production' };
    const id = await addTarget(harness, { filter: { labels } });
    const [plain, labeled] = [new ReportingSession('a'), new ReportingSession('b')];
    harness.workspace.applyReport(plain.ask('call_1~1', null).report());
    harness.workspace.applyReport({ ...labeled.ask('call_1~1', null).report(), labels });
    expect(await announcedTo(harness, id)).toHaveLength(1);
  });

  it('shows the audience in the inbox', () => {
    const harness = new WorkspaceHarness();
    const audience = { subjects: ['ana'] };
    const session = new ReportingSession('a').ask('call_1~1', null, { audience });
    harness.workspace.applyReport(session.report());
    expect(valueOf(harness.workspace.inbox({})).interactions).toMatchObject([{ audience }]);
  });
});

describe('[ROUTE-4] groups', () => {
  const policyGroups = ({ workspace }: WorkspaceHarness) => workspace.audiencePolicy().groups;

  it('are made, replaced, listed and deleted, also after a wake', () => {
    const harness = new WorkspaceHarness();
    harness.workspace.putGroup('ops', ['ana', 'ben', 'ana'], OLGA);
    harness.workspace.putGroup('dev', ['cleo'], OLGA);
    harness.workspace.putGroup('ops', ['ben'], OLGA);
    expect(harness.workspace.deleteGroup('dev', OLGA)).toEqual({ ok: true });
    expect(harness.workspace.deleteGroup('dev', OLGA)).toMatchObject({ code: 'not_found' });
    harness.wake();
    const groups = [{ name: 'ops', subjects: ['ben'] }];
    expect(harness.workspace.groups()).toEqual(groups);
    expect(policyGroups(harness)).toEqual(groups);
    harness.workspace.putGroup('dev', ['dan'], OLGA);
    expect(policyGroups(harness).map(({ name }) => name)).toEqual(['dev', 'ops']);
  });

  it('are audited: who came and who left; the same again is no change', () => {
    const harness = new WorkspaceHarness();
    harness.workspace.putGroup('ops', ['ana'], OLGA);
    harness.workspace.putGroup('ops', ['ana'], OLGA);
    harness.workspace.putGroup('ops', ['ben'], OLGA);
    harness.workspace.deleteGroup('ops', OLGA);
    const { entries } = valueOf(harness.workspace.audit({}));
    const about = { what: 'group', group: 'ops', subject: 'olga' };
    expect(entries).toMatchObject([
      { ...about, change: 'deleted' },
      { ...about, change: 'updated', named: '+ben, -ana' },
      { ...about, change: 'created', named: '+ana' },
    ]);
  });

  it('are limited in number and in members', () => {
    const { workspace } = new WorkspaceHarness();
    const many = Array.from({ length: LIMITS.groupMembers }, (_, n) => `person ${n}`);
    expect(workspace.putGroup('all', many, OLGA)).toMatchObject({ ok: true });
    const one = workspace.putGroup('ops', ['one more'], OLGA);
    expect(one).toMatchObject({ code: 'limit_reached', details: { limit: 'groupMembers' } });
    for (let n = 1; n < LIMITS.groups; n += 1) valueOf(workspace.putGroup(`g-${n}`, [], OLGA));
    const last = workspace.putGroup('ops', [], OLGA);
    expect(last).toMatchObject({ code: 'limit_reached', details: { limit: 'groups' } });
    expect(workspace.putGroup('g-1', [], OLGA)).toMatchObject({ ok: true });
  });

  it('lose nothing to a write that fails', () => {
    const harness = new WorkspaceHarness();
    harness.workspace.putGroup('ops', ['ana'], OLGA);
    const { run } = harness.database;
    harness.database.run = () => {
      throw new Error('full');
    };
    expect(() => harness.workspace.putGroup('ops', ['ben'], OLGA)).toThrow('full');
    harness.database.run = run;
    expect(policyGroups(harness)).toEqual([{ name: 'ops', subjects: ['ana'] }]);
  });

  it('that cannot be read let fewer people answer, and are reported', () => {
    const harness = new WorkspaceHarness();
    harness.store.write(() => harness.store.saveList('groups', '{"ops"'));
    expect(policyGroups(harness)).toEqual([]);
    expect(harness.warned).toHaveLength(1);
  });
});

it('[ROUTE-5] no two targets have one name', async () => {
  const harness = new WorkspaceHarness();
  await addTarget(harness, { name: 'pager' });
  const twin = await harness.workspace.receivers.createTarget(
    { ...WEBHOOK, events: ['*'], name: 'pager' },
    MAKER,
  );
  expect(twin).toMatchObject({ ok: false, code: 'invalid_request' });
  const other = await addTarget(harness, { name: 'wiki' });
  const renamed = await harness.workspace.receivers.updateTarget(other, { name: 'pager' }, OLGA);
  expect(renamed).toMatchObject({ ok: false, code: 'invalid_request' });
  expect(
    valueOf(await harness.workspace.receivers.updateTarget(other, { name: null }, OLGA)).name,
  ).toBe(undefined);
});
