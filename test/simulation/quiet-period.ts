/**
 * A time in which nothing goes wrong and nobody asks for anything: what is under way arrives, timers
 * and alarms go off when they should. It ends when nothing is left to happen, or its time is up.
 */
import type { World } from './world.ts';

/** More than this only something that never ends would take. */
const MOST_EVENTS = 5_000;

export async function lull(world: World, until: () => boolean = () => false, ms = 45_000) {
  const end = world.now + ms;
  const wasCalm = world.isCalm;
  world.isCalm = true;
  for (let count = 0; world.judge.verdict === null; count += 1) {
    world.judge.hold(count < MOST_EVENTS, 'I14', () => 'something goes on and on');
    if (await oneThing(world)) continue;
    if (until()) break;
    const next = nextTime(world);
    if (next === null || next > end) break;
    world.now = Math.max(world.now, next);
  }
  world.isCalm = wasCalm;
}

async function oneThing(world: World): Promise<boolean> {
  for (const host of world.hosts) {
    if (host.storage.gate.isClosed) {
      await world.act(() => host.confirm());
      return true;
    }
  }
  const parcel = world.network.take();
  if (parcel !== undefined) {
    await world.act(parcel.open);
    return true;
  }
  for (const host of world.hosts) {
    const work = host.timers.take(world.now);
    if (work !== undefined) {
      await world.act(work);
      return true;
    }
    const { dueAt } = host.storage.alarm;
    if (dueAt !== null && dueAt <= world.now) {
      await world.ring(host);
      return true;
    }
  }
  return false;
}

function nextTime(world: World): number | null {
  const times = [
    world.network.nextAt,
    ...world.hosts.flatMap((host) => [host.timers.nextAt, host.storage.alarm.dueAt]),
  ].filter((at) => at !== null);
  return times.length === 0 ? null : Math.min(...times);
}
