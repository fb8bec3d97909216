/**
 * A time without failures and without new commands: messages in transit arrive, timers and alarms fire at their time.
 * It ends when nothing is left to happen, or its time is up.
 */
import type { Simulation } from './simulation.ts';

/** Only an endless loop needs more rounds. */
const MOST_EVENTS = 5_000;

export async function runQuietPeriod(
  simulation: Simulation,
  until: () => boolean = () => false,
  ms = 45_000,
) {
  const end = simulation.now + ms;
  const wasCalm = simulation.isCalm;
  simulation.isCalm = true;
  for (let count = 0; simulation.judge.verdict === null; count += 1) {
    simulation.judge.hold(count < MOST_EVENTS, 'I14', () => 'something goes on and on');
    if (await oneThing(simulation)) continue;
    if (until()) break;
    const next = nextTime(simulation);
    if (next === null || next > end) break;
    simulation.now = Math.max(simulation.now, next);
  }
  simulation.isCalm = wasCalm;
}

async function oneThing(simulation: Simulation): Promise<boolean> {
  for (const host of simulation.hosts) {
    if (host.storage.gate.isClosed) {
      await simulation.act(() => host.confirm());
      return true;
    }
  }
  const parcel = simulation.network.take();
  if (parcel !== undefined) {
    await simulation.act(parcel.open);
    return true;
  }
  for (const host of simulation.hosts) {
    const work = host.timers.take(simulation.now);
    if (work !== undefined) {
      await simulation.act(work);
      return true;
    }
    const { dueAt } = host.storage.alarm;
    if (dueAt !== null && dueAt <= simulation.now) {
      await simulation.ring(host);
      return true;
    }
  }
  return false;
}

function nextTime(simulation: Simulation): number | null {
  const times = [
    simulation.network.nextAt,
    ...simulation.hosts.flatMap((host) => [host.timers.nextAt, host.storage.alarm.dueAt]),
  ].filter((at) => at !== null);
  return times.length === 0 ? null : Math.min(...times);
}
