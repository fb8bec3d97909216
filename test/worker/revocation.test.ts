/**
 * Ending a credential before its time: for new requests at once, and on open connections.
 *
 * A bug would look like the holder of a revoked key that still receives events on an open socket, until
 * something wakes the session, or without end.
 */
import { runInDurableObject } from 'cloudflare:test';
import { describe, expect, it } from 'vitest';
import { call } from './support/api.ts';
import { createKey, minted } from './support/credentials.ts';
import { attachments, evict } from './support/objects.ts';
import {
  type TestSession,
  answer,
  createSession,
  open,
  sessionStub,
  workspaceStub,
} from './support/session.ts';
import { connect, upgrade, TestSocket } from './support/socket.ts';
import { listen, requestStream } from './support/stream.ts';
import { until } from './support/until.ts';

const UNAUTHENTICATED = { status: 401, body: { error: { code: 'unauthenticated' } } };

/** The number of sessions to which the workspace would push the end of this credential. */
function watchersOf(credential: string): Promise<number> {
  return runInDurableObject(workspaceStub(), (_object, { storage }) => {
    const found = 'SELECT session_id FROM watcher WHERE credential = ?';
    return storage.sql.exec(found, credential).toArray().length;
  });
}

async function listeners(session: TestSession, token: string) {
  const socket = await connect(session, { token, after: 1 });
  const stream = await listen(session, { token, after: 1 });
  await socket.next('welcome');
  await stream.next();
  return { socket, stream };
}

async function expectSentAway({ socket, stream }: Awaited<ReturnType<typeof listeners>>) {
  expect((await socket.next('error')).error.code).toBe('unauthenticated');
  expect((await socket.closed).code).toBe(4401);
  expect((await stream.next()).event).toBe('error');
  await stream.ended;
}

describe('a revoked key', () => {
  it('[AUTH-7] ends a request that waits for an outcome, however it waits', async () => {
    const session = await createSession();
    const { interactionId } = await open(session);
    const { id, token } = await createKey(['read', 'agent']);
    const ask = { kind: 'approval', toolCallId: 'asked', toolName: 'Bash', input: {} };
    const waits = [
      call('GET', `${session.path}/interactions/${interactionId}?wait=55`, { token }),
      call('POST', `${session.path}/interactions`, {
        token,
        body: ask,
        headers: { Prefer: 'wait=55' },
      }),
    ];
    // The workspace knows both waits, so it calls the session, and no wait lasts the 55 seconds.
    await until(async () => (await watchersOf(id)) > 0);
    expect((await call('DELETE', `/v1/keys/${id}`)).status).toBe(204);
    for (const wait of waits) expect(await wait).toMatchObject(UNAUTHENTICATED);
  });

  it('[AUTH-7] receives no outcome that comes before the revocation reaches the session', async () => {
    const session = await createSession();
    const { interactionId } = await open(session);
    const { id, token } = await createKey(['read', 'agent']);
    const wait = call('GET', `${session.path}/interactions/${interactionId}?wait=55`, { token });
    await until(async () => (await attachments(session)).length === 1);
    await call('DELETE', `/v1/keys/${id}`);
    await answer(session, interactionId, { decision: 'approve' });
    expect(await wait).toMatchObject(UNAUTHENTICATED);
  });

  it('[AUTH-7] loses its sockets and streams at once, in every session, and its requests are 401', async () => {
    const sessions = await Promise.all([createSession(), createSession()]);
    const key = await createKey(['read', 'answer', 'agent']);
    const other = await createKey(['read']);
    const here = await Promise.all(sessions.map((session) => listeners(session, key.token)));
    const stays = await connect(sessions[0], { token: other.token, after: 1 });
    expect((await call('DELETE', `/v1/keys/${key.id}`)).status).toBe(204);
    for (const one of here) await expectSentAway(one);

    const [session] = sessions;
    expect((await call('GET', session.path, { token: key.token })).status).toBe(401);
    const response = await upgrade(session, { token: key.token });
    expect((await new TestSocket(response.webSocket as WebSocket).closed).code).toBe(4401);
    const refused = await requestStream(session, { token: key.token });
    expect(refused.status).toBe(401);
    await refused.text();
    await open(session);
    await stays.heard((event) => event.type === 'interaction_request');
    expect(here[0]?.socket.events).toEqual([]);
    stays.close();
  });

  it('[AUTH-7] also revokes all tokens minted from it, directly or through another token', async () => {
    const session = await createSession();
    const key = await createKey(['read', 'send']);
    const person = await minted(key.token, ['read', 'send'], { subject: 'ada' });
    const phone = await minted(person.token, ['read'], { session });
    const connected = await listeners(session, phone.token);
    await call('DELETE', `/v1/keys/${key.id}`);
    await expectSentAway(connected);
    for (const { token } of [person, phone]) {
      expect((await call('GET', session.path, { token })).status).toBe(401);
    }
  });

  it('[AUTH-7, INT-9] reaches a session that was evicted, and wakes no other', async () => {
    const session = await createSession();
    const key = await createKey(['read']);
    const connected = await listeners(session, key.token);
    await evict(sessionStub(session));
    await call('DELETE', `/v1/keys/${key.id}`);
    await expectSentAway(connected);
    expect(await attachments(session)).toEqual([]);
  });

  it('[AUTH-7] is 404 the second time, and so is an unknown key', async () => {
    const { id } = await createKey(['read']);
    expect((await call('DELETE', `/v1/keys/${id}`)).status).toBe(204);
    expect((await call('DELETE', `/v1/keys/${id}`)).status).toBe(404);
    expect((await call('DELETE', '/v1/keys/key_never')).status).toBe(404);
  });
});

describe('a revoked token', () => {
  it('[AUTH-7] is revoked with the tokens minted from it; its own parent stays', async () => {
    const session = await createSession();
    const key = await createKey(['read']);
    const token = await minted(key.token, ['read'], { session });
    const below = await minted(token.token, ['read'], { session });
    const connected = await listeners(session, below.token);
    expect((await call('DELETE', `/v1/tokens/${token.id}`)).status).toBe(204);
    await expectSentAway(connected);
    expect((await call('GET', session.path, { token: token.token })).status).toBe(401);
    expect((await call('GET', session.path, { token: below.token })).status).toBe(401);
    expect((await call('GET', session.path, { token: key.token })).status).toBe(200);
  });

  it('[AUTH-7] has the frame in flight on its socket refused', async () => {
    const session = await createSession();
    const { interactionId } = await open(session);
    const { token, id } = await minted(undefined, ['read', 'answer'], { session });
    const socket = await connect(session, { token, after: 3 });
    await socket.next('welcome');
    await call('DELETE', `/v1/tokens/${id}`);
    const frame = { type: 'answer', id: 'late', interactionId, answer: { decision: 'approve' } };
    try {
      socket.send(frame);
    } catch {
      // Closed before it could be sent, which is as good.
    }
    expect((await socket.closed).code).toBe(4401);
    const { body } = await call('GET', session.path);
    expect(body.open).toHaveLength(1);
  });
});
