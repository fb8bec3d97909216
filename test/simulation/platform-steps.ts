/** The steps of the clock and the platform, which affect every object. */
import { CRASHES, type ObjectHost } from './object-host.ts';
import type { FailurePoint } from './object-storage.ts';
import type { Simulation } from './simulation.ts';
import { answerNow } from './client-steps.ts';
import { calmDown } from './at-rest.ts';
import { runQuietPeriod } from './quiet-period.ts';

type Handler = (simulation: Simulation) => void | Promise<void>;

const FAILURES: readonly [FailurePoint, ...FailurePoint[]] = [
  'before',
  'in the middle',
  'at the end',
  'the one after',
];
const HOUR = 3_600_000;

export const PLATFORM_STEPS = {
  pass(simulation) {
    const isLong = simulation.random.chance(0.2);
    const waits = isLong ? [10_000, 60_000, 130_000] : [100, 300, 1_000, 3_000];
    pass(simulation, simulation.random.pick(waits) ?? 0);
  },

  'pass to the deadline'(simulation) {
    const due = simulation.sessions
      .map((session) => session.model.nextDue)
      .filter((at) => at !== null);
    const next = due.filter((at) => at > simulation.now);
    if (next.length === 0) return;
    const at = Math.min(...next) + simulation.random.pick([-1, 0, 0, 1, 250]);
    pass(simulation, Math.max(0, at - simulation.now));
  },

  /** The clock is set forward, or the machine slept. */
  jump(simulation) {
    pass(simulation, simulation.random.pick([HOUR, 5 * HOUR, 25 * HOUR]));
  },

  async crash(simulation) {
    const written = simulation.hosts.filter((host) => host.storage.gate.isClosed);
    const pool = written.length > 0 && simulation.random.chance(0.8) ? written : simulation.hosts;
    const host = simulation.random.pick(pool);
    if (host !== undefined) await simulation.crash(host, simulation.random.pick(CRASHES));
  },

  /** The whole machine goes down, and no client acts until it is up. */
  async restart(simulation) {
    await restart(simulation);
    if (simulation.random.chance(0.5)) await calmDown(simulation);
  },

  calm: calmDown,

  /** No client acts until no call is in progress, and the platform then evicts the objects. */
  async evict(simulation) {
    if (simulation.random.chance(0.6))
      await runQuietPeriod(simulation, undefined, simulation.random.pick([3_000, 45_000]));
    for (const host of simulation.hosts) {
      if (!host.isAwake || !host.isIdle || simulation.random.chance(0.3)) continue;
      await evict(simulation, host);
    }
  },

  /** A waiter connects, the session is evicted, and then the answer arrives. */
  async 'sleep on a question'(simulation) {
    const waiter = simulation.random.pick(
      simulation.waiters.filter((waiter) => waiter.state === 'waiting'),
    );
    if (waiter === undefined) return;
    const { session, interactionId } = waiter;
    await runQuietPeriod(simulation, undefined, 3_000);
    if (session.host.isIdle) await evict(simulation, session.host);
    const record = session.model.interactions.get(interactionId);
    if (record?.isOpen === true) await simulation.act(() => answerNow(simulation, session, record));
  },

  'break a write'(simulation) {
    const host = simulation.random.pick(simulation.hosts);
    if (host === undefined) return;
    simulation.note(() => `  the next write of ${host.name} fails`);
    host.storage.failNext = simulation.random.pick(FAILURES);
  },

  'lose an alarm'(simulation) {
    const host = simulation.random.pick(
      simulation.hosts.filter((host) => host.storage.alarm.armedAt !== null),
    );
    if (host === undefined) return;
    simulation.tally.lostAlarms += 1;
    const how = simulation.random.pick(['gone', 'stuck'] as const);
    simulation.note(() => `  the alarm of ${host.name} is ${how}`);
    host.storage.alarm.lose(how);
  },

  /** The alarm fires early, or once more. */
  'ring an alarm'(simulation) {
    const host = simulation.random.pick(simulation.hosts);
    return host && simulation.ring(host);
  },

  /** The workspace found the session overdue some time ago. */
  poke(simulation) {
    const session = simulation.random.pick(simulation.sessions);
    if (session === undefined) return;
    simulation.note(() => `  the workspace pokes ${session.id}`);
    const ignoreReply = () => undefined;
    return simulation.act(() => session.poke(ignoreReply, ignoreReply));
  },

  'cut the network'(simulation) {
    simulation.network.isCut = true;
    simulation.note(() => '  sessions and workspace are cut off');
  },

  'mend the network'(simulation) {
    simulation.network.isCut = false;
  },
} as const satisfies Record<string, Handler>;

function evict(simulation: Simulation, host: ObjectHost<unknown>): Promise<void> {
  simulation.tally.evictions += 1;
  simulation.note(() => `  ${host.name} is evicted`);
  return simulation.act(() => host.evict());
}

async function restart(simulation: Simulation): Promise<void> {
  for (const host of simulation.hosts)
    await simulation.crash(host, simulation.random.pick(CRASHES));
}

function pass(simulation: Simulation, ms: number): void {
  simulation.now += ms;
  simulation.note(() => `  ${ms} ms pass`);
}
