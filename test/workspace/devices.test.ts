/**
 * Devices of persons, as the workspace keeps them.
 *
 * A bug here looks like a phone that shows the requests of a workspace to a person whose access was revoked.
 */
import { expect, it } from 'vitest';
import { LIMITS } from '../../src/protocol/limits.ts';
import type { DeviceOwner } from '../../src/workspace/devices.ts';
import { ReportingSession } from './reporting-session.ts';
import { MINUTE, OLGA, valueOf, WorkspaceHarness } from './workspace-harness.ts';

const VAPID = { publicKey: 'public', privateKey: 'private' };
const DAY = 24 * 60 * MINUTE;

function ownerOf(subject: string, over: Partial<DeviceOwner> = {}): DeviceOwner {
  return {
    made: {
      by: { subject, via: 'web', credential: `tok_${subject}`, key: 'key_1' },
      maker: { credential: `tok_${subject}` },
      workspace: 'main',
      origin: 'https://holdpoint.example',
    },
    contact: 'https://holdpoint.example',
    session: null,
    mayRead: true,
    mayAnswer: true,
    chain: [`tok_${subject}`, 'key_1'],
    expiresAt: null,
    ...over,
  };
}

const inputOf = (number: number | string, name = 'Phone') => ({
  name,
  subscription: {
    endpoint: `https://push.example.com/${number}`,
    keys: { p256dh: `B${'A'.repeat(86)}`, auth: 'A'.repeat(22) },
  },
});

const add = ({ workspace }: WorkspaceHarness, owner: DeviceOwner, number: number | string = 1) =>
  workspace.receivers.createDevice(inputOf(number), owner, VAPID);

/** Who is handed an announcement of a new request in this session. */
async function notified(harness: WorkspaceHarness, sessionId = 'a'): Promise<string[]> {
  harness.handedOver.length = 0;
  const session = new ReportingSession(sessionId);
  session.ask('call_1~1', null);
  harness.workspace.applyReport(session.report(0));
  for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
  return harness.handedOver.flatMap(({ config, announcements }) =>
    config?.surface.type === 'push' && announcements.length > 0 ? [config.surface.subject] : [],
  );
}

it('[PUSH-1] notifies every device of requests, and administrators see no key of one', async () => {
  const harness = new WorkspaceHarness();
  valueOf(await add(harness, ownerOf('ada')));
  valueOf(await add(harness, ownerOf('bo'), 2));
  expect(await notified(harness)).toEqual(['ada', 'bo']);
  const [listed] = harness.workspace.receivers.targets();
  expect(listed).toMatchObject({
    type: 'push',
    subject: 'ada',
    device: 'Phone',
    service: 'https://push.example.com',
  });
  expect(JSON.stringify(harness.workspace.receivers.targets())).not.toMatch(
    /AAAA|private|push\.example\.com\/1/,
  );
});

it('[PUSH-1] is one device for one subscription, with the rights of the last sign-in', async () => {
  const harness = new WorkspaceHarness();
  const first = valueOf(await add(harness, ownerOf('ada', { expiresAt: harness.now + MINUTE })));
  const again = valueOf(await add(harness, ownerOf('ada', { expiresAt: harness.now + DAY })));
  expect(again).toMatchObject({ id: first.id, expiresAt: harness.now + DAY });
  expect(harness.workspace.receivers.devices('ada')).toHaveLength(1);
  harness.now += 2 * MINUTE;
  expect(await notified(harness)).toEqual(['ada']);
});

it('writes nothing when a device is opened again soon', async () => {
  const harness = new WorkspaceHarness();
  await add(harness, ownerOf('ada'));
  const audited = () => valueOf(harness.workspace.audit({})).entries.length;
  const before = audited();
  harness.handedOver.length = 0;
  harness.now += MINUTE;
  await add(harness, ownerOf('ada'));
  expect([harness.handedOver.length, audited()]).toEqual([0, before]);
  harness.now += DAY;
  expect(valueOf(await add(harness, ownerOf('ada'))).usedAt).toBe(harness.now);
  expect(audited()).toBe(before);
});

it('[PUSH-1] shows each person the own devices alone', async () => {
  const harness = new WorkspaceHarness();
  const { id } = valueOf(await add(harness, ownerOf('ada')));
  expect(harness.workspace.receivers.devices('bo')).toEqual([]);
  const bo = ownerOf('bo').made.by;
  expect(harness.workspace.receivers.device(id, 'bo')).toMatchObject({
    ok: false,
    code: 'not_found',
  });
  expect(await harness.workspace.receivers.removeDevice(id, bo)).toMatchObject({
    code: 'not_found',
  });
  expect(await notified(harness)).toEqual(['ada']);
  const ada = ownerOf('ada').made.by;
  expect(await harness.workspace.receivers.removeDevice(id, ada)).toMatchObject({ ok: true });
  expect(harness.handedOver.at(-1)).toMatchObject({ targetId: id, config: null });
  expect(await notified(harness, 'b')).toEqual([]);
});

it('does not take another target for a device', async () => {
  const harness = new WorkspaceHarness();
  const wanted = { type: 'webhook', url: 'https://hooks.example.com/', events: ['*'] } as const;
  const maker = { by: OLGA, maker: { credential: 'k' }, workspace: 'main', origin: undefined };
  const { target } = valueOf(
    await harness.workspace.receivers.createTarget({ ...wanted, events: ['*'] }, maker),
  );
  expect(await harness.workspace.receivers.removeDevice(target.id, OLGA)).toMatchObject({
    ok: false,
  });
  expect(harness.workspace.receivers.targets()).toHaveLength(1);
});

it('[PUSH-1] gives the browser to the person who signed in last', async () => {
  const harness = new WorkspaceHarness();
  const first = valueOf(await add(harness, ownerOf('ada')));
  const second = valueOf(await add(harness, ownerOf('bo')));
  expect(second.id).not.toBe(first.id);
  expect(harness.workspace.receivers.devices('ada')).toEqual([]);
  expect(await notified(harness)).toEqual(['bo']);
});

it.each(['tok_ada', 'key_1'])(
  '[PUSH-1, AUTH-7] ends the device when %s is revoked',
  async (credential) => {
    const harness = new WorkspaceHarness();
    const { id } = valueOf(await add(harness, ownerOf('ada')));
    valueOf(await add(harness, ownerOf('bo', { chain: ['tok_bo'] }), 2));
    await harness.workspace.credentials.revoke(credential, null, OLGA);
    expect(harness.workspace.receivers.devices('ada')).toEqual([]);
    expect(harness.handedOver.at(-1)).toMatchObject({ targetId: id, config: null });
    expect(await notified(harness)).toEqual(['bo']);
  },
);

it('[PUSH-1, AUTH-7] ends the device when its key is revoked, and lets no revoked one in', async () => {
  const harness = new WorkspaceHarness();
  const key = harness.workspace.credentials.createKey({ name: 'team', scopes: ['read'] }, OLGA);
  if (!('id' in key)) throw new Error('no key');
  const owner = ownerOf('ada', { chain: ['tok_ada', key.id] });
  valueOf(await add(harness, owner));
  await harness.workspace.credentials.revokeKey(key.id, OLGA);
  expect(harness.workspace.receivers.devices('ada')).toEqual([]);
  // An isolate may not know of the revocation for some seconds.
  expect(await add(harness, owner)).toMatchObject({ ok: false, code: 'unauthenticated' });
});

it('[PUSH-1] forgets a device at the first request after its sign-in expired', async () => {
  const harness = new WorkspaceHarness();
  const { id } = valueOf(await add(harness, ownerOf('ada', { expiresAt: harness.now + MINUTE })));
  harness.now += MINUTE;
  expect(await notified(harness)).toEqual([]);
  expect(harness.handedOver).toMatchObject([{ targetId: id, config: null }]);
  expect(harness.workspace.receivers.devices('ada')).toEqual([]);
});

it('[PUSH-1] notifies a device of one session of that session, not of one whose id begins so', async () => {
  const harness = new WorkspaceHarness();
  await add(harness, ownerOf('ada', { session: 'a' }));
  expect(await notified(harness, 'a')).toEqual(['ada']);
  expect(await notified(harness, 'ab')).toEqual([]);
});

it('[PUSH-1] forgets a device that is gone, unless it came back', async () => {
  const harness = new WorkspaceHarness();
  const { id } = valueOf(await add(harness, ownerOf('ada')));
  const gone = { at: harness.now, enabledCount: 1, isGone: true };
  valueOf(await add(harness, ownerOf('ada', { expiresAt: harness.now + DAY })));
  harness.workspace.receivers.disableFailedTarget(id, gone);
  expect(harness.workspace.receivers.devices('ada')).toHaveLength(1);
  harness.workspace.receivers.disableFailedTarget(id, { ...gone, enabledCount: 2 });
  expect(harness.workspace.receivers.devices('ada')).toEqual([]);
});

it('[PUSH-1] leaves a device that an administrator disabled disabled', async () => {
  const harness = new WorkspaceHarness();
  const { id } = valueOf(await add(harness, ownerOf('ada')));
  await harness.workspace.receivers.updateTarget(id, { enabled: false }, OLGA);
  valueOf(await add(harness, ownerOf('ada', { expiresAt: harness.now + DAY })));
  expect(await notified(harness)).toEqual([]);
});

it('[PUSH-1] refuses more devices than a person may have, and addresses that are not public', async () => {
  const harness = new WorkspaceHarness();
  for (let number = 0; number < LIMITS.devicesPerPerson; number += 1) {
    valueOf(await add(harness, ownerOf('ada'), number));
  }
  expect(await add(harness, ownerOf('ada'), 'more')).toMatchObject({ code: 'limit_reached' });
  expect(await add(harness, ownerOf('ada'), 0)).toMatchObject({ ok: true });
  expect(await add(harness, ownerOf('bo'), 'more')).toMatchObject({ ok: true });
  const input = inputOf('x');
  for (const endpoint of ['http://push.example.com/x', 'https://10.0.0.1/x', 'nowhere']) {
    const subscription = { ...input.subscription, endpoint };
    const made = await harness.workspace.receivers.createDevice(
      { ...input, subscription },
      ownerOf('bo'),
      VAPID,
    );
    expect(made).toMatchObject({ ok: false, code: 'invalid_request' });
  }
});

it('[PUSH-1] makes the keys of a workspace once', async () => {
  const harness = new WorkspaceHarness();
  let made = 0;
  harness.freshVapidKeys = async () => ({ publicKey: `public ${(made += 1)}`, privateKey: 'p' });
  const [one, two] = await Promise.all([
    harness.workspace.receivers.vapidKeys(),
    harness.workspace.receivers.vapidKeys(),
  ]);
  harness.wake();
  expect([two, await harness.workspace.receivers.vapidKeys()]).toEqual([one, one]);
});
