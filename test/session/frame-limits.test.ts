/**
 * Frames count like requests.
 *
 * A bug here looks like an agent that sends over its socket without limit, a client that waits without end for the
 * result of a refused frame, or a connection that is lost because of one frame too many.
 */
import { expect, it } from 'vitest';
import { WindowCounts } from '../../src/platform/rate-limit.ts';
import { LIMITS } from '../../src/protocol/limits.ts';
import { person } from '../support/callers.ts';
import { startedSession } from '../support/session-storage.ts';
import type { SessionWorld } from '../support/session-world.ts';

const LIMIT = 3;
const MIA = { ...person('mia'), root: 'key_1' };

async function limited(): Promise<SessionWorld> {
  const world = await startedSession();
  const counts = new WindowCounts(LIMIT, () => world.now);
  world.countFrame = (root) => counts.count(root);
  return world;
}

const message = (id: string) => ({ type: 'message', id, text: 'Hello' });
const said = (world: SessionWorld) =>
  world.log().filter((event) => event.type === 'user_message').length;

it('[LIM-3] refuses a frame beyond the limit, with its id and the time to wait', async () => {
  const world = await limited();
  const socket = world.connect({ caller: MIA });
  for (let n = 1; n <= LIMIT; n += 1) await world.receive(socket, message(`f${n}`));
  world.now += 2_500;
  const before = socket.frames.length;
  await world.receive(socket, message('f4'));
  const error = { code: 'rate_limited', details: { retryAfterSeconds: 8 } };
  expect(socket.frames.slice(before)).toMatchObject([
    { type: 'result', id: 'f4', ok: false, error },
    { type: 'error', error },
  ]);
  expect(socket.closed).toBeNull();
  expect(said(world)).toBe(LIMIT);
  world.now += 7_500;
  await world.receive(socket, message('f5'));
  expect(socket.last).toMatchObject({ type: 'result', id: 'f5', ok: true });
});

it('[LIM-3] counts invalid frames as well, and all sockets of one root together', async () => {
  const world = await limited();
  const [first, second] = [world.connect({ caller: MIA }), world.connect({ caller: MIA })];
  const sibling = world.connect({ caller: { ...person('tom'), root: 'key_1' } });
  const stranger = world.connect({ caller: person('eve') });
  await world.receive(first, 'nonsense');
  await world.receive(second, message('f1'));
  await world.receive(second, message('f2'));
  for (const socket of [first, second, sibling]) {
    await world.receive(socket, 'nonsense');
    expect(socket.last).toMatchObject({ type: 'error', error: { code: 'rate_limited' } });
  }
  await world.receive(stranger, message('f3'));
  expect(stranger.last).toMatchObject({ type: 'result', ok: true });
});

it('[LIM-3] ends a connection that keeps sending, and no other', async () => {
  const world = await limited();
  const [socket, quiet] = [world.connect({ caller: MIA }), world.connect({ caller: MIA })];
  for (let n = 1; n <= LIMIT + LIMITS.framesBeyondRate; n += 1) {
    await world.receive(socket, message(`f${n}`));
    expect(socket.closed).toBeNull();
  }
  await world.receive(socket, message('last'));
  expect(socket.closed?.code).toBe(1013);
  expect(quiet.closed).toBeNull();
  expect(said(world)).toBe(LIMIT);
});
