/**
 * Quiet hours of people: who has which, which targets hear of them, and who changed them.
 *
 * A bug here leaves a target with hours that were removed, or loses who silenced whom.
 */
import { describe, expect, it } from 'vitest';
import { LIMITS } from '../../src/protocol/limits.ts';
import type { QuietHours } from '../../src/protocol/schema/quiet-hours.ts';
import { ReportingSession } from './reporting-session.ts';
import { OLGA, valueOf, WorkspaceHarness } from './workspace-harness.ts';

const NIGHT: QuietHours = { from: '22:00', to: '07:00', timeZone: 'Europe/Berlin' };
const MAKER = {
  by: OLGA,
  maker: { credential: 'key_admin' },
  workspace: 'main',
  origin: 'https://holdpoint.example',
};
type Wanted = Parameters<WorkspaceHarness['workspace']['receivers']['createTarget']>[0];

async function addTarget({ workspace }: WorkspaceHarness, wanted: Partial<Wanted>) {
  const webhook = { type: 'webhook', url: 'https://hooks.example.com/', events: ['*'] } as const;
  const asked = { ...webhook, ...wanted } as Wanted;
  return valueOf(await workspace.receivers.createTarget(asked, MAKER)).target.id;
}

async function handedTo(harness: WorkspaceHarness, id: string) {
  for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
  return harness.handedOver.filter(({ targetId }) => targetId === id);
}

describe('[ROUTE-7] quiet hours of a person', () => {
  it('reach the targets of exactly this person, new ones too, and leave them again', async () => {
    const harness = new WorkspaceHarness();
    const ana = await addTarget(harness, { audience: 'ana' });
    const other = await addTarget(harness, { audience: 'Ana' });
    expect(harness.workspace.setQuietHours('ana', NIGHT, OLGA)).toEqual({ ok: true });
    const later = await addTarget(harness, { audience: 'ana' });
    expect((await handedTo(harness, ana)).at(-1)?.config?.quietHours).toEqual(NIGHT);
    expect((await handedTo(harness, later)).at(-1)?.config?.quietHours).toEqual(NIGHT);
    expect(await handedTo(harness, other)).toHaveLength(1);

    harness.wake();
    expect(harness.workspace.quietHours('ana')).toEqual(NIGHT);
    expect(harness.workspace.quietHours('Ana')).toBeNull();
    harness.workspace.setQuietHours('ana', null, OLGA);
    expect((await handedTo(harness, ana)).at(-1)?.config).not.toHaveProperty('quietHours');
    expect(harness.workspace.quietHours('ana')).toBeNull();
  });

  it('are in the audit list, once for each change', () => {
    const { workspace } = new WorkspaceHarness();
    workspace.setQuietHours('ana', NIGHT, OLGA);
    workspace.setQuietHours('ana', { ...NIGHT }, OLGA);
    workspace.setQuietHours('ana', null, OLGA);
    workspace.setQuietHours('ana', null, OLGA);
    const fields = { what: 'person', named: 'ana', subject: 'olga' };
    expect(valueOf(workspace.audit({})).entries).toMatchObject([
      { ...fields, change: 'quiet hours removed' },
      { ...fields, change: 'quiet hours 22:00 to 07:00, Europe/Berlin' },
    ]);
  });

  it('belong to at most so many people', () => {
    const harness = new WorkspaceHarness();
    const people = Array.from({ length: LIMITS.quietHours }, (_, n) => [`person ${n}`, NIGHT]);
    harness.store.write(() => harness.store.saveList('quiet-hours', JSON.stringify(people)));
    expect(harness.workspace.setQuietHours('ana', NIGHT, OLGA)).toMatchObject({
      code: 'limit_reached',
      details: { limit: 'quietHours' },
    });
    expect(harness.workspace.quietHours('ana')).toBeNull();
    const changed = { ...NIGHT, to: '06:00' };
    expect(harness.workspace.setQuietHours('person 1', changed, OLGA)).toEqual({ ok: true });
    expect(harness.workspace.quietHours('person 1')).toEqual(changed);
  });

  it('let a target without resolutions hear of one, so that no reminder of it is sent', async () => {
    const harness = new WorkspaceHarness();
    const events: Wanted['events'] = ['interaction.requested', 'interaction.reminder'];
    const reminded = await addTarget(harness, { audience: 'ana', events });
    const asked = await addTarget(harness, { audience: 'ana', events: ['interaction.requested'] });
    const ben = await addTarget(harness, { audience: 'ben', events });
    harness.workspace.setQuietHours('ana', NIGHT, OLGA);
    const session = new ReportingSession('a').ask('call_1~1', null).settle('call_1~1');
    harness.workspace.applyReport(session.report());
    const resolutions = async (id: string) =>
      (await handedTo(harness, id))
        .flatMap(({ announcements }) => announcements)
        .filter(({ announcement }) => announcement.type === 'interaction.resolved');
    expect(await resolutions(reminded)).toMatchObject([{ isUnwanted: true }]);
    expect(await resolutions(asked)).toEqual([]);
    expect(await resolutions(ben)).toEqual([]);
  });
});
