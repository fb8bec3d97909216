/**
 * What happens between two steps: disks confirm, messages arrive, timers and alarms go off, late or
 * in another order, and objects crash with what is not confirmed.
 */
import { CRASHES } from './object-host.ts';
import type { World } from './world.ts';

export async function churn(world: World): Promise<void> {
  const { random, weather } = world;
  const rounds = random.int(1, 3);
  for (let round = 0; round < rounds; round += 1) {
    world.now += random.chance(0.8) ? random.int(0, 40) : random.int(40, 400);
    await arrivals(world);
    for (const host of world.hosts) {
      const { storage, timers } = host;
      if (storage.gate.isClosed && random.chance(weather.confirm)) {
        await world.act(() => host.confirm());
      }
      if (storage.gate.isClosed && world.happens('crash')) {
        await world.crash(host, random.pick(CRASHES));
      }
      if (world.happens('breakWrite')) storage.failNext = random.pick(['before', 'at the end']);
      while (random.chance(weather.timer)) {
        const work = timers.take(world.now);
        if (work === undefined) break;
        await world.act(work);
      }
      const { dueAt } = storage.alarm;
      if (dueAt !== null && dueAt <= world.now && random.chance(weather.alarm)) {
        await world.ring(host);
      }
    }
    if (world.judge.verdict !== null) return;
  }
}

async function arrivals(world: World): Promise<void> {
  while (world.random.chance(world.weather.arrive)) {
    const parcel = world.network.take();
    if (parcel === undefined) return;
    await world.act(parcel.open);
  }
}
