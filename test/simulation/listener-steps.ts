/** The steps of listeners: sockets that open and close, waiters, readers, and credentials that are revoked. */
import { agent, person, reader } from '../support/callers.ts';
import type { Random } from '../support/random.ts';
import { picked, pickSession } from './client-steps.ts';
import { readPage, readSnapshotOf } from './reader.ts';
import { Subscriber } from './subscriber.ts';
import { Waiter } from './waiter.ts';
import type { Simulation } from './simulation.ts';

type Handler = (simulation: Simulation) => void;

const MOST_SUBSCRIBERS = 10;

export const LISTENER_STEPS = {
  wait(simulation) {
    const session = pickSession(simulation);
    const record = picked({ model: session.model, random: simulation.random });
    if (record === undefined) return;
    const waiter = new Waiter(record.id, session, agent(record.asked.openedBy.subject), simulation);
    simulation.waiters.push(waiter);
    simulation.note(() => `  ${waiter.name} in ${session.id}`);
    simulation.network.post(waiter.name, () => waiter.connect());
  },

  look(simulation) {
    const waiter = simulation.random.pick(
      simulation.waiters.filter((waiter) => waiter.state === 'has to look'),
    );
    if (waiter === undefined) return;
    if (simulation.random.chance(0.5)) waiter.look();
    else waiter.connect();
  },

  connect(simulation) {
    const away = simulation.subscribers.filter((subscriber) => subscriber.canConnect);
    const isFull = simulation.subscribers.length >= MOST_SUBSCRIBERS;
    const known =
      isFull || simulation.random.chance(0.7) ? simulation.random.pick(away) : undefined;
    const subscriber = known ?? newcomer(simulation, isFull);
    if (subscriber === undefined) return;
    simulation.note(
      () => `  ${subscriber.name} connects to ${subscriber.session.id} at ${subscriber.cursor}`,
    );
    subscriber.connect();
  },

  cut(simulation) {
    const there = simulation.subscribers.filter((subscriber) => subscriber.connection !== null);
    const waiting = simulation.sessions.flatMap((session) => session.connections);
    const connection = simulation.random.chance(0.7)
      ? simulation.random.pick(there)?.connection
      : simulation.random.pick(waiting);
    if (connection)
      simulation.disconnect(connection, simulation.random.pick(['noticed', 'unnoticed']));
  },

  /** An object notices that a client has disconnected. */
  notice(simulation) {
    for (const session of simulation.sessions) {
      for (const connection of session.connections)
        if (connection.cut === 'unnoticed') session.notice(connection);
    }
  },

  read(simulation) {
    const session = pickSession(simulation);
    if (simulation.random.chance(0.5)) readPage(simulation, session);
    else readSnapshotOf(simulation, session);
  },

  'revoke credential'(simulation) {
    const subscriber = simulation.random.pick(simulation.subscribers);
    if (subscriber === undefined) return;
    const { credential } = subscriber.caller;
    simulation.admin.revoke(credential);
  },

  'change keys'(simulation) {
    const { random, admin } = simulation;
    const known = random.pick(admin.keys);
    if (known !== undefined && random.chance(0.4)) admin.revokeKey(known);
    else admin.createKey(`name-${random.int(1, 4)}`);
  },
} as const satisfies Record<string, Handler>;

/** Each watcher has a separate credential that can be revoked; agents and people use their own. */
function newcomer(simulation: Simulation, isFull: boolean): Subscriber | undefined {
  if (isFull) return undefined;
  const { random, subscribers } = simulation;
  const subscriber = new Subscriber(
    callerFor(random, subscribers.length),
    pickSession(simulation),
    simulation,
  );
  subscribers.push(subscriber);
  return subscriber;
}

function callerFor(random: Random, number: number) {
  return random.pick([agent(), person(), reader(`watcher-${number}`), reader(`watcher-${number}`)]);
}
