/**
 * Credentials run out on connections that are open, too.
 *
 * A bug would look like a token for an hour that receives events for a week, because only its first request was
 * checked.
 */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { call, must } from './support/api.ts';
import { minted } from './support/credentials.ts';
import { type TestSession, createSession, open } from './support/session.ts';
import { connect } from './support/socket.ts';
import { listen } from './support/stream.ts';

beforeAll(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
});

afterAll(() => {
  vi.useRealTimers();
});

function read(session: TestSession, token: string) {
  return call('GET', session.path, { token });
}

describe('a credential whose time is over', () => {
  it('[AUTH-7] is 401, and its socket and stream receive no more frames', async () => {
    const session = await createSession();
    const { token, expiresAt } = await minted(undefined, ['read'], { session, ttlSeconds: 60 });
    const socket = await connect(session, { token, after: 1 });
    const stream = await listen(session, { token, after: 1 });
    await socket.next('welcome');
    await stream.next();

    vi.setSystemTime(expiresAt - 1);
    expect((await read(session, token)).status).toBe(200);
    vi.setSystemTime(expiresAt);
    expect((await read(session, token)).status).toBe(401);
    await open(session);
    expect((await socket.next('error')).error.code).toBe('unauthenticated');
    expect((await socket.closed).code).toBe(4401);
    expect(socket.events).toEqual([]);
    const said = await stream.next();
    expect(said.event).toBe('error');
    await stream.ended;
  });

  it('[AUTH-7] has the frames on its socket refused', async () => {
    const session = await createSession();
    const { interactionId } = await open(session);
    const wanted = { session, ttlSeconds: 60 };
    const { token } = await minted(undefined, ['read', 'answer'], wanted);
    const socket = await connect(session, { token, after: 3 });
    await socket.next('welcome');
    vi.advanceTimersByTime(60_000);
    socket.send({ type: 'answer', id: 'late', interactionId, answer: { decision: 'approve' } });
    expect((await socket.closed).code).toBe(4401);
    expect((await must('GET', session.path)).open).toHaveLength(1);
  });

  it('[AUTH-1] cannot be created: a key with a past expiry is refused', async () => {
    const body = { name: 'late', scopes: ['read'], expiresAt: Date.now() - 1 };
    expect((await call('POST', '/v1/keys', { body })).status).toBe(400);
    const soon = { ...body, expiresAt: Date.now() + 1_000 };
    const { secret } = await must('POST', '/v1/keys', { body: soon });
    const session = await createSession();
    expect((await read(session, secret ?? '')).status).toBe(200);
    vi.advanceTimersByTime(1_000);
    expect((await read(session, secret ?? '')).status).toBe(401);
  });
});
