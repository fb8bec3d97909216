/**
 * The queue of a device: what is sent, what is not sent any more, and when a device is gone.
 *
 * A bug here looks like a notification of a request that is over, or one that stays on a phone for good.
 */
import { expect, it } from 'vitest';
import type { OutgoingAnnouncement } from '../../src/delivery/ports.ts';
import { type PushMessage, readPushMessage } from '../../src/protocol/push-message.ts';
import { deviceSettings } from '../support/device-settings.ts';
import { CONFIG, OK, requested, TargetWorld } from '../support/target-world.ts';

const MINUTE = 60_000;

function deviceWorld(over: Parameters<typeof deviceSettings>[0] = {}): TargetWorld {
  const world = new TargetWorld();
  world.config = { ...CONFIG, surface: deviceSettings(over) };
  return world;
}

function about(seq: number, id: string, fields: object): OutgoingAnnouncement {
  const base = requested('s', seq, id);
  return { ...base, announcement: { ...base.announcement, ...fields } };
}
const asked = (seq: number, id: string, expiresAt: number | null = null) =>
  about(seq, id, { expiresAt });
const reminder = (seq: number, id: string) => about(seq, id, { type: 'interaction.reminder' });
const resolved = (seq: number, id: string) =>
  about(seq, id, {
    type: 'interaction.resolved',
    outcome: 'approved',
    settledBy: { subject: 'bo', via: 'web' },
  });

const messages = ({ sent }: TargetWorld): (PushMessage | undefined)[] =>
  sent.map(({ body }) => readPushMessage(body));
const fail =
  (status: number, more: object = {}) =>
  () => ({
    status,
    text: '',
    retryAfter: null,
    problem: `${status}`,
    ...more,
  });

it('[PUSH-1] sends a request and its end under one topic, until the deadline', async () => {
  const world = deviceWorld();
  await world.receive(asked(1, 'c~1', world.now + 90_500));
  await world.receive(resolved(2, 'c~1'));
  expect(messages(world)).toMatchObject([
    { type: 'request', interactionId: 'c~1', title: 'Bash asks for approval', onePress: false },
    { type: 'end', interactionId: 'c~1', title: 'Approved by bo', mustShow: false },
  ]);
  const [first, second] = world.sent.map(({ headers }) => headers);
  expect(first).toMatchObject({ ttl: '91', urgency: 'high' });
  expect(first?.['topic']).toMatch(/^[\w-]{32}$/);
  expect(second).toMatchObject({ topic: first?.['topic'], urgency: 'normal' });
});

it('keeps other requests under other topics', async () => {
  const world = deviceWorld();
  await world.receive(asked(1, 'c~1'), asked(2, 'd~1'));
  expect(new Set(world.sent.map(({ headers }) => headers['topic'])).size).toBe(2);
});

it('[PUSH-1] reminds with what was asked', async () => {
  const world = deviceWorld();
  await world.receive(asked(1, 'c~1'));
  await world.receive(reminder(2, 'c~1'));
  expect(messages(world)[1]).toMatchObject({
    title: 'Still waiting: Bash asks for approval',
    body: 'command: ls',
    digest: 'd'.repeat(64),
  });
});

it.each<[string, (world: TargetWorld) => Promise<void>, number | null]>([
  ['after its deadline', async () => undefined, 20_000],
  ['after its end', (world) => world.receive(resolved(2, 'c~1')), null],
])('[PUSH-1] sends no request %s', async (_, end, deadlineMs) => {
  const world = deviceWorld();
  world.receiver = fail(503);
  await world.receive(asked(1, 'c~1', deadlineMs === null ? null : world.now + deadlineMs));
  await world.pass(8_000);
  expect(world.sent).toHaveLength(2);
  world.receiver = () => OK;
  await end(world);
  await world.pass(60 * MINUTE);
  expect(world.sent).toHaveLength(2);
  expect(world.store.list(10).every(({ wait, isDelivered }) => wait === null && isDelivered)).toBe(
    true,
  );
});

it('shows the end on a device whose push service wants something shown', async () => {
  const world = deviceWorld({ endpoint: 'https://web.push.apple.com/Q' });
  await world.receive(asked(1, 'c~1'), resolved(2, 'c~1'));
  expect(messages(world)[1]).toMatchObject({ type: 'end', mustShow: true });
});

it.each([404, 410])('[PUSH-1] forgets the device after %i', async (status) => {
  const world = deviceWorld();
  world.receiver = fail(status);
  await world.receive(asked(1, 'c~1'));
  expect(world.gone).toEqual([world.now]);
  await world.pass(24 * 60 * MINUTE);
  expect(world.sent).toHaveLength(1);
});

it('[PUSH-1] reports a device that is gone until the workspace has it', async () => {
  const world = deviceWorld();
  world.receiver = fail(410);
  world.onDisabled = () => {
    throw new Error('The workspace is out of reach');
  };
  await world.receive(asked(1, 'c~1'));
  expect(world.gone).toEqual([]);
  world.onDisabled = () => undefined;
  world.crash();
  await world.pass(MINUTE);
  expect(world.gone).toHaveLength(1);
});

it.each([400, 401, 403, 413])(
  'does not repeat what the service refuses with %i',
  async (status) => {
    const world = deviceWorld();
    world.receiver = fail(status);
    await world.receive(asked(1, 'c~1'));
    await world.pass(24 * 60 * MINUTE);
    expect(world.sent).toHaveLength(1);
    expect([world.gone, world.disabled]).toEqual([[], []]);
  },
);

it.each([408, 429, 500, 503])('repeats after %i, when the service wants it', async (status) => {
  const world = deviceWorld();
  world.receiver = fail(status, { retryAfter: '600' });
  await world.receive(asked(1, 'c~1'));
  await world.pass(9 * MINUTE);
  expect(world.sent).toHaveLength(1);
  world.receiver = () => OK;
  await world.pass(5 * MINUTE);
  expect(messages(world)).toHaveLength(2);
  expect(world.store.list(1)[0]?.isDelivered).toBe(true);
});

it('[PUSH-1] forgets a device whose keys are not valid', async () => {
  const world = deviceWorld({ p256dh: '' });
  await world.receive(asked(1, 'c~1'));
  expect(world.sent).toEqual([]);
  expect(world.gone).toHaveLength(1);
});

it('[PUSH-1] sends nothing after the sign-in of the device has ended', async () => {
  const world = deviceWorld();
  world.config = { ...CONFIG, surface: deviceSettings({ expiresAt: world.now + MINUTE }) };
  world.receiver = fail(503);
  await world.receive(asked(1, 'c~1'));
  const before = world.sent.length;
  world.receiver = () => OK;
  await world.pass(2 * MINUTE);
  await world.receive(asked(2, 'd~1'));
  await world.pass(60 * MINUTE);
  expect(world.sent.slice(before).filter(({ at }) => at >= 1_700_000_000_000 + MINUTE)).toEqual([]);
  expect(world.gone).toHaveLength(1);
});

it('sends a test, and says what became of it', async () => {
  const world = deviceWorld();
  await world.receive();
  const tested = await world.target.test();
  expect(messages(world)).toEqual([{ type: 'test' }]);
  expect(tested).toMatchObject({ ok: true, value: { status: 'delivered' } });
  world.receiver = fail(410);
  expect(await world.target.test()).toMatchObject({ ok: true, value: { last: { status: 410 } } });
  expect(world.gone).toHaveLength(1);
});

const handedOver = (seq: number, id: string) =>
  about(seq, id, {
    type: 'interaction.handed_over',
    to: { subjects: ['bo'] },
    by: { subject: 'olga', via: 'web' },
  });
const askedAgain = (seq: number, id: string) => about(seq, id, { type: 'interaction.escalated' });

it('[HAND-2, PUSH-1] closes a request that was handed over, and shows it anew to who is asked again', async () => {
  const world = deviceWorld();
  await world.receive(asked(1, 'c~1'));
  await world.receive(handedOver(2, 'c~1'));
  await world.receive(reminder(3, 'c~1'));
  expect(messages(world)).toMatchObject([
    { type: 'request', interactionId: 'c~1' },
    { type: 'end', interactionId: 'c~1', title: 'Handed over to others by olga' },
  ]);
  await world.receive(askedAgain(4, 'c~1'));
  await world.receive(resolved(5, 'c~1'));
  expect(messages(world).slice(2)).toMatchObject([
    { type: 'request', interactionId: 'c~1' },
    { type: 'end', title: 'Approved by bo' },
  ]);
  await world.receive(askedAgain(6, 'c~1'));
  expect(messages(world)).toHaveLength(4);
});

it('[HAND-2] sends no request that was handed over before the device was reached', async () => {
  const world = deviceWorld();
  world.receiver = fail(503);
  await world.receive(asked(1, 'c~1'));
  await world.pass(10 * MINUTE);
  world.receiver = () => OK;
  const tries = world.sent.length;
  expect(tries).toBeGreaterThan(1);
  await world.receive(handedOver(2, 'c~1'));
  await world.pass(24 * 60 * MINUTE);
  expect(world.sent).toHaveLength(tries);
});
