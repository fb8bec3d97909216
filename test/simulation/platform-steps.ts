/** What time and the platform do to everybody. */
import { CRASHES, type ObjectHost } from './object-host.ts';
import type { FailurePoint } from './object-storage.ts';
import type { World } from './world.ts';
import { answerNow } from './client-steps.ts';
import { calmDown } from './at-rest.ts';
import { lull } from './quiet-period.ts';

type Handler = (world: World) => void | Promise<void>;

const FAILURES: readonly [FailurePoint, ...FailurePoint[]] = [
  'before',
  'in the middle',
  'at the end',
  'the one after',
];
const HOUR = 3_600_000;

export const PLATFORM_STEPS = {
  pass(world) {
    const isLong = world.random.chance(0.2);
    const waits = isLong ? [10_000, 60_000, 130_000] : [100, 300, 1_000, 3_000];
    pass(world, world.random.pick(waits) ?? 0);
  },

  'pass to the deadline'(world) {
    const due = world.sessions.map((one) => one.model.nextDue).filter((at) => at !== null);
    const next = due.filter((at) => at > world.now);
    if (next.length === 0) return;
    const at = Math.min(...next) + world.random.pick([-1, 0, 0, 1, 250]);
    pass(world, Math.max(0, at - world.now));
  },

  /** The clock is set forward, or the machine slept. */
  jump(world) {
    pass(world, world.random.pick([HOUR, 5 * HOUR, 25 * HOUR]));
  },

  async crash(world) {
    const written = world.hosts.filter((one) => one.storage.gate.isClosed);
    const pool = written.length > 0 && world.random.chance(0.8) ? written : world.hosts;
    const host = world.random.pick(pool);
    if (host !== undefined) await world.crash(host, world.random.pick(CRASHES));
  },

  /** The whole machine goes down, and nobody does anything until it is up. */
  async restart(world) {
    await restart(world);
    if (world.random.chance(0.5)) await calmDown(world);
  },

  calm: calmDown,

  /** Everybody is left alone until nothing is under way, and memory is given back. */
  async evict(world) {
    if (world.random.chance(0.6)) await lull(world, undefined, world.random.pick([3_000, 45_000]));
    for (const host of world.hosts) {
      if (!host.isAwake || !host.isIdle || world.random.chance(0.3)) continue;
      await evict(world, host);
    }
  },

  /** Somebody waits, the session is put to sleep meanwhile, and then comes the answer. */
  async 'sleep on a question'(world) {
    const waiter = world.random.pick(world.waiters.filter((one) => one.state === 'waiting'));
    if (waiter === undefined) return;
    const { session, interactionId } = waiter;
    await lull(world, undefined, 3_000);
    if (session.host.isIdle) await evict(world, session.host);
    const record = session.model.interactions.get(interactionId);
    if (record?.isOpen === true) await world.act(() => answerNow(world, session, record));
  },

  'break a write'(world) {
    const host = world.random.pick(world.hosts);
    if (host === undefined) return;
    world.say(() => `  the next write of ${host.name} fails`);
    host.storage.failNext = world.random.pick(FAILURES);
  },

  'lose an alarm'(world) {
    const host = world.random.pick(world.hosts.filter((one) => one.storage.alarm.armedAt !== null));
    if (host === undefined) return;
    world.tally.lostAlarms += 1;
    const how = world.random.pick(['gone', 'stuck'] as const);
    world.say(() => `  the alarm of ${host.name} is ${how}`);
    host.storage.alarm.lose(how);
  },

  /** It goes off early, or once more. */
  'ring an alarm'(world) {
    const host = world.random.pick(world.hosts);
    return host && world.ring(host);
  },

  /** The workspace found it overdue, a while ago. */
  poke(world) {
    const session = world.random.pick(world.sessions);
    if (session === undefined) return;
    world.say(() => `  the workspace pokes ${session.id}`);
    const nobody = () => undefined;
    return world.act(() => session.poke(nobody, nobody));
  },

  'cut the network'(world) {
    world.network.isCut = true;
    world.say(() => '  sessions and workspace are cut off');
  },

  'mend the network'(world) {
    world.network.isCut = false;
  },
} as const satisfies Record<string, Handler>;

function evict(world: World, host: ObjectHost<unknown>): Promise<void> {
  world.tally.evictions += 1;
  world.say(() => `  ${host.name} is evicted`);
  return world.act(() => host.evict());
}

async function restart(world: World): Promise<void> {
  for (const host of world.hosts) await world.crash(host, world.random.pick(CRASHES));
}

function pass(world: World, ms: number): void {
  world.now += ms;
  world.say(() => `  ${ms} ms pass`);
}
