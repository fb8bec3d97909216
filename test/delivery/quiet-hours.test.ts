/**
 * Reminders in quiet hours: what waits, what does not, and what becomes of it.
 *
 * A bug here wakes a person at night, hides a request until it has expired, or reminds of what was settled long ago.
 */
import { describe, expect, it } from 'vitest';
import { MemoryTargetStore } from '../../src/platform/memory/target-store.ts';
import type { OutgoingAnnouncement } from '../../src/delivery/ports.ts';
import type { Announcement } from '../../src/protocol/schema/announcement.ts';
import { CONFIG, DOWN, OK, requested, TargetWorld } from '../support/target-world.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** The world begins on 14 November 2023 at 22:13:20 UTC. */
const NIGHT = { from: '22:00', to: '07:00', timeZone: 'UTC' };
const MORNING = Date.parse('2023-11-15T07:00Z');

type About = Extract<Announcement, { interactionId: string }>;

function about(seq: number, id: string, more: Partial<About>): OutgoingAnnouncement {
  const [toolCallId = ''] = id.split('~');
  const fields = { seq, at: 0, interactionId: id, toolCallId, toolName: 'Bash', kind: 'approval' };
  return {
    sessionId: 'a',
    source: `a log ${seq}`,
    announcement: { ...fields, ...more } as Announcement,
  };
}
const reminder = (seq: number, id = 'call_1~1', expiresAt: number | null = null) =>
  about(seq, id, { type: 'interaction.reminder', expiresAt });
const resolved = (seq: number, id = 'call_1~1') =>
  about(seq, id, {
    type: 'interaction.resolved',
    outcome: 'approved',
    settledBy: { subject: 'ana', via: 'web' },
    inputDigest: 'd'.repeat(64),
  });
const escalated = (seq: number) => about(seq, 'call_1~1', { type: 'interaction.escalated' });

describe.each([
  ['SQLite', undefined],
  [
    'memory',
    () => {
      const store = new MemoryTargetStore();
      return () => store;
    },
  ],
])('[ROUTE-7] in quiet hours, a target in %s', (_name, opener) => {
  const begin = () => {
    const world = new TargetWorld(opener?.());
    world.config = { ...CONFIG, quietHours: NIGHT };
    return world;
  };
  const seqs = ({ sent }: TargetWorld) => sent.map(({ content }) => content.data.seq);
  const listed = (world: TargetWorld) => {
    const page = world.target.deliveries({});
    if (!page.ok) throw new Error(page.message);
    return page.value.deliveries;
  };

  it('holds a reminder until they end, and everything else not at all', async () => {
    const world = begin();
    await world.receive(requested('a', 1), reminder(2), escalated(3), requested('a', 4));
    expect(seqs(world)).toEqual([1, 3, 4]);
    expect(listed(world)[2]).toMatchObject({ seq: 2, status: 'pending', nextAt: MORNING });
    world.crash();
    await world.pass(MORNING - world.now - 1);
    expect(seqs(world)).toEqual([1, 3, 4]);
    await world.pass(1);
    expect(seqs(world)).toEqual([1, 3, 4, 2]);
    await world.receive(reminder(5));
    expect(seqs(world)).toEqual([1, 3, 4, 2, 5]);
  });

  it('drops a reminder whose request settles, and shows why', async () => {
    const world = begin();
    await world.receive(requested('a', 1), reminder(2), reminder(3, 'call_2~1'), resolved(4));
    await world.pass(24 * HOUR);
    expect(seqs(world)).toEqual([1, 4, 3]);
    const [dropped] = listed(world).filter(({ seq }) => seq === 2);
    expect(dropped).toMatchObject({ status: 'dead', attempts: 0, nextAt: null });
    expect(dropped?.last?.problem).toMatch(/^Not sent: the request was settled/);
  });

  it('drops it for a target that is sent no resolutions', async () => {
    const world = begin();
    await world.receive(requested('a', 1), reminder(2), { ...resolved(3), isUnwanted: true });
    await world.pass(24 * HOUR);
    expect(seqs(world)).toEqual([1]);
    expect(listed(world)).toHaveLength(2);
  });

  it('keeps the reminder of another session with the same id', async () => {
    const world = begin();
    await world.receive(reminder(2), { ...resolved(3), sessionId: 'b', source: 'b log 3' });
    await world.pass(24 * HOUR);
    expect(seqs(world)).toEqual([3, 2]);
  });

  it('sends a reminder whose request expires before they end', async () => {
    const world = begin();
    await world.receive(reminder(2, 'call_1~1', MORNING), reminder(3, 'call_2~1', MORNING + 1));
    expect(seqs(world)).toEqual([2]);
  });

  it('lets no reminder that fails afterwards hold up its session', async () => {
    const world = begin();
    await world.receive(reminder(2));
    world.receiver = ({ content }) => (content.data.seq === 2 ? DOWN : OK);
    await world.pass(MORNING - world.now + 1_000);
    await world.receive(requested('a', 3));
    expect(seqs(world)).toEqual([2, 3]);
  });

  it('does not repeat a reminder whose request settles while it is sent', async () => {
    const world = begin();
    let fail = () => {};
    await world.receive(reminder(2));
    world.receiver = ({ content }) =>
      content.data.seq === 2 ? new Promise((resolve) => (fail = () => resolve(DOWN))) : OK;
    await world.pass(MORNING - world.now);
    await world.receive(resolved(3));
    fail();
    await world.pass(48 * HOUR);
    expect(seqs(world)).toEqual([2, 3]);
  });

  it.each([
    ['removed', undefined, 0],
    ['over by now', { ...NIGHT, from: '23:00' }, 0],
    ['shorter', { ...NIGHT, to: '05:00' }, MORNING - 2 * HOUR],
    ['longer', { ...NIGHT, to: '09:00' }, MORNING],
  ])('frees what waits when they are %s', async (_which, quietHours, at) => {
    const world = begin();
    await world.receive(reminder(2));
    const began = world.now;
    world.config = quietHours === undefined ? CONFIG : { ...CONFIG, quietHours };
    await world.receive();
    await world.pass(24 * HOUR);
    expect(world.sent.map((one) => one.at)).toEqual([Math.max(at, began)]);
  });

  it('sends a reminder at once that an administrator sends again', async () => {
    const world = begin();
    await world.receive(reminder(2), resolved(3));
    const [dropped] = listed(world).filter(({ seq }) => seq === 2);
    world.target.redeliver(dropped?.id ?? '');
    await world.settle();
    expect(seqs(world)).toEqual([3, 2]);
  });
});
