/**
 * The events between two steps: disks confirm writes, messages arrive, timers and alarms fire, late or in another
 * order, and objects crash and lose unconfirmed writes.
 */
import { CRASHES } from './object-host.ts';
import type { Simulation } from './simulation.ts';

export async function playBetweenSteps(simulation: Simulation): Promise<void> {
  const { random, faults } = simulation;
  const rounds = random.int(1, 3);
  for (let round = 0; round < rounds; round += 1) {
    simulation.now += random.chance(0.8) ? random.int(0, 40) : random.int(40, 400);
    await arrivals(simulation);
    for (const host of simulation.hosts) {
      const { storage, timers } = host;
      if (storage.gate.isClosed && random.chance(faults.confirm)) {
        await simulation.act(() => host.confirm());
      }
      if (storage.gate.isClosed && simulation.happens('crash')) {
        await simulation.crash(host, random.pick(CRASHES));
      }
      if (simulation.happens('breakWrite'))
        storage.failNext = random.pick(['before', 'at the end']);
      while (random.chance(faults.timer)) {
        const work = timers.take(simulation.now);
        if (work === undefined) break;
        await simulation.act(work);
      }
      const { dueAt } = storage.alarm;
      if (dueAt !== null && dueAt <= simulation.now && random.chance(faults.alarm)) {
        await simulation.ring(host);
      }
    }
    if (simulation.judge.verdict !== null) return;
  }
}

async function arrivals(simulation: Simulation): Promise<void> {
  while (simulation.random.chance(simulation.faults.arrive)) {
    const parcel = simulation.network.take();
    if (parcel === undefined) return;
    await simulation.act(parcel.open);
  }
}
