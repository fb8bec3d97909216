/** Those who listen: sockets that come and go, waiters, readers, and credentials that end. */
import { agent, person, reader } from '../support/callers.ts';
import type { Random } from '../support/random.ts';
import { picked, pickSession } from './client-steps.ts';
import { readPage, readSnapshotOf } from './reader.ts';
import { Subscriber } from './subscriber.ts';
import { Waiter } from './waiter.ts';
import type { World } from './world.ts';

type Handler = (world: World) => void;

const MOST_SUBSCRIBERS = 10;

export const LISTENER_STEPS = {
  wait(world) {
    const session = pickSession(world);
    const record = picked({ model: session.model, random: world.random });
    if (record === undefined) return;
    const waiter = new Waiter(record.id, session, agent(record.asked.openedBy.subject), world);
    world.waiters.push(waiter);
    world.say(() => `  ${waiter.name} in ${session.id}`);
    world.network.post(waiter.name, () => waiter.connect());
  },

  look(world) {
    const waiter = world.random.pick(world.waiters.filter((one) => one.state === 'has to look'));
    if (waiter === undefined) return;
    if (world.random.chance(0.5)) waiter.look();
    else waiter.connect();
  },

  connect(world) {
    const away = world.subscribers.filter((one) => one.canConnect);
    const isFull = world.subscribers.length >= MOST_SUBSCRIBERS;
    const known = isFull || world.random.chance(0.7) ? world.random.pick(away) : undefined;
    const subscriber = known ?? newcomer(world, isFull);
    if (subscriber === undefined) return;
    world.say(
      () => `  ${subscriber.name} connects to ${subscriber.session.id} at ${subscriber.cursor}`,
    );
    subscriber.connect();
  },

  cut(world) {
    const there = world.subscribers.filter((one) => one.connection !== null);
    const waiting = world.sessions.flatMap((one) => one.connections);
    const connection = world.random.chance(0.7)
      ? world.random.pick(there)?.connection
      : world.random.pick(waiting);
    if (connection) world.disconnect(connection, world.random.pick(['noticed', 'unnoticed']));
  },

  /** An object learns that somebody has gone. */
  notice(world) {
    for (const session of world.sessions) {
      for (const one of session.connections) if (one.cut === 'unnoticed') session.notice(one);
    }
  },

  read(world) {
    const session = pickSession(world);
    if (world.random.chance(0.5)) readPage(world, session);
    else readSnapshotOf(world, session);
  },

  'revoke credential'(world) {
    const subscriber = world.random.pick(world.subscribers);
    if (subscriber === undefined) return;
    const { credential } = subscriber.caller;
    world.admin.revoke(credential);
  },

  'change keys'(world) {
    const { random, admin } = world;
    const known = random.pick(admin.keys);
    if (known !== undefined && random.chance(0.4)) admin.revokeKey(known);
    else admin.createKey(`name-${random.int(1, 4)}`);
  },
} as const satisfies Record<string, Handler>;

/** Watchers have a credential each, so that one can end; agents and people come with theirs. */
function newcomer(world: World, isFull: boolean): Subscriber | undefined {
  if (isFull) return undefined;
  const { random, subscribers } = world;
  const subscriber = new Subscriber(
    callerFor(random, subscribers.length),
    pickSession(world),
    world,
  );
  subscribers.push(subscriber);
  return subscriber;
}

function callerFor(random: Random, number: number) {
  return random.pick([agent(), person(), reader(`watcher-${number}`), reader(`watcher-${number}`)]);
}
