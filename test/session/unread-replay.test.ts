/**
 * A connection that never reads keeps its replay in the server's memory, and the server cannot see how much of it.
 *
 * A bug would look like forty connections of one reader, each with the whole of a long log unsent, and a process of
 * more than a gigabyte; or like a reader that is disconnected and never reaches the end.
 */
import { expect, it } from 'vitest';
import { append } from '../support/asks.ts';
import { person } from '../support/callers.ts';
import { LIMITS } from '../../src/protocol/limits.ts';
import { startedSession } from '../support/session-storage.ts';
import type { SessionWorld } from '../support/session-world.ts';

const EVENT_CHARS = 250_000;
const EVENTS = 80;
const LARGE = append({ type: 'assistant_text', payload: { text: 'x'.repeat(EVENT_CHARS) } });

async function longSession(): Promise<SessionWorld> {
  const world = await startedSession();
  for (let count = 0; count < EVENTS; count += 1) world.must(LARGE);
  await world.quiet();
  return world;
}

type Connection = ReturnType<SessionWorld['connect']>;

it('[WS-6] is closed in its replay, and has the whole log after it reconnects with its cursor', async () => {
  const world = await longSession();
  const seqs: number[] = [];
  let connections = 0;
  for (let socket: Connection | undefined; socket === undefined || socket.closed !== null; ) {
    socket = world.connect({ after: seqs.at(-1) ?? 0 });
    connections += 1;
    await world.quiet();
    const bytes = socket.texts.reduce((sum, text) => sum + text.length, 0);
    expect(bytes).toBeLessThan(LIMITS.replayBytes + 2 * EVENT_CHARS);
    seqs.push(...socket.seqs);
    if (socket.closed !== null) {
      expect(socket.closed.code).toBe(1012);
      expect(socket.attachment).toMatchObject({ replayed: expect.any(Number) });
      world.drop(socket);
    }
  }
  expect(seqs).toEqual(Array.from({ length: EVENTS + 1 }, (_, index) => index + 1));
  expect(connections).toBe(3);
});

it('[WS-6] held for a stream it gets a paused frame, receives nothing more, and counts until it ends', async () => {
  const world = await longSession();
  const stream = world.connect({ held: true });
  await world.quiet();
  expect(stream).toMatchObject({ closed: null, last: { type: 'paused' } });
  world.must(LARGE);
  expect(stream.last).toEqual({ type: 'paused' });
});

/** Connections of one root that were sent so much when they came, and of which nothing shows that they read it. */
function owing(world: SessionWorld, bytes: number): Connection[] {
  const connections: Connection[] = [];
  for (let left = bytes; left > 0; left -= LIMITS.replayBytes) {
    const socket = world.connect({ after: world.state?.head ?? 0 });
    const replayed = Math.min(left, LIMITS.replayBytes);
    if (socket.attachment.role === 'subscriber') socket.attach({ ...socket.attachment, replayed });
    connections.push(socket);
  }
  return connections;
}

it('[WS-6, LIM-2] of one root take no more than its share together, also after the object has slept', async () => {
  const world = await startedSession();
  const [first, second] = owing(world, LIMITS.rootReplayBytes);
  const join = (caller = person('ada')) => world.attach(world.subscription({ after: 1, caller }));
  const limit = { code: 'limit_reached', details: { limit: 'rootReplayBytes' } };
  expect(join()).toMatchObject(limit);
  // Another credential of the same root is no way around it, and another root is not concerned.
  expect(join({ ...person('minted'), root: 'cred-ada' })).toMatchObject(limit);
  expect(join(person('bob'))).toMatchObject({ closed: null });
  await world.quiet();
  world.evict();
  expect(join()).toMatchObject(limit);
  // Closed here, it counts until the other side has read as far as the close.
  first?.close(1012, 'come again');
  expect(join()).toMatchObject(limit);
  if (second !== undefined) world.drop(second);
  expect(join()).toMatchObject({ closed: null });
});

it('[WS-6] that reach it in the middle of their replays are closed until later', async () => {
  const world = await longSession();
  owing(world, LIMITS.rootReplayBytes - 6 * EVENT_CHARS);
  const socket = world.connect();
  await world.quiet();
  expect(socket.last).toMatchObject({ type: 'error', error: { code: 'limit_reached' } });
  expect(socket.closed).toMatchObject({ code: 1013 });
});
