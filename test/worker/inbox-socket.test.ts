/**
 * The live inbox through the Worker: sockets that outlast eviction, streams, and refusals.
 *
 * A bug would look like a workspace object that stays in memory while a client has the inbox open, or an
 * object that leaves memory and loses its subscribers.
 */
import { SELF } from 'cloudflare:test';
import { describe, expect, it, vi } from 'vitest';
import { SqliteInboxTable } from '../../src/platform/sqlite/workspace-tables/inbox-table.ts';
import { PROTOCOL, TOKEN_SUBPROTOCOL } from '../../src/protocol/frames.ts';
import type { InboxChangedFrame, InboxFrame } from '../../src/protocol/schema/frame.ts';
import { ADMIN, ORIGIN, call, headersOf } from './support/api.ts';
import { createKey, minted } from './support/credentials.ts';
import { Inbox } from './support/inbox.ts';
import { AT_ONCE_MS, evict } from './support/objects.ts';
import { answer, createSession, open, workspaceStub } from './support/session.ts';
import { TestStream } from './support/stream.ts';

function upgrade(token = ADMIN, headers: Readonly<Record<string, string>> = {}) {
  return SELF.fetch(`${ORIGIN}/v1/inbox/socket`, {
    headers: {
      Upgrade: 'websocket',
      'Sec-WebSocket-Protocol': `${PROTOCOL}, ${TOKEN_SUBPROTOCOL}${token}`,
      ...headers,
    },
  });
}

async function connect(token?: string, headers?: Readonly<Record<string, string>>) {
  const { webSocket } = await upgrade(token, headers);
  if (webSocket === null) throw new Error('No socket');
  const frames = new Inbox<string>();
  const closed = new Promise<number>((resolve) => {
    webSocket.addEventListener('close', ({ code }) => resolve(code));
  });
  webSocket.addEventListener('message', ({ data }) => frames.put(String(data)));
  webSocket.accept();
  return {
    closed,
    send: (text: string) => webSocket.send(text),
    close: () => webSocket.close(1000, 'done'),
    nextText: () => frames.next(),
    next: async () => JSON.parse(await frames.next()) as InboxFrame,
    async changeOf(sessionId: string): Promise<InboxChangedFrame> {
      for (;;) {
        const frame = await this.next();
        if (frame.type === 'inbox_changed' && frame.sessionId === sessionId) return frame;
      }
    },
  };
}

describe('the socket of the inbox', () => {
  it('[INBOX-2] echoes the subprotocol, sends the present state, and then the changes', async () => {
    const upgraded = await upgrade();
    expect(upgraded.status).toBe(101);
    expect(upgraded.headers.get('Sec-WebSocket-Protocol')).toBe(PROTOCOL);
    upgraded.webSocket?.accept();
    upgraded.webSocket?.close();

    const socket = await connect();
    expect(await socket.next()).toMatchObject({
      type: 'inbox',
      protocol: PROTOCOL,
      interactions: expect.any(Array),
      total: expect.any(Number),
      now: expect.any(Number),
    });
    const session = await createSession({ title: 'Deploy' });
    const { interactionId } = await open(session);
    expect(await socket.changeOf(session.id)).toMatchObject({
      sessionTitle: 'Deploy',
      upserts: [{ interactionId, sessionId: session.id }],
      removed: [],
    });
    await answer(session, interactionId);
    expect(await socket.changeOf(session.id)).toMatchObject({
      upserts: [],
      removed: [interactionId],
    });
    socket.close();
  });

  it('[INBOX-2, INT-9] keeps nothing in memory: receives changes after eviction and pings', async () => {
    const socket = await connect();
    await socket.next();
    expect(await evict(workspaceStub())).toBeLessThan(AT_ONCE_MS);
    const wakes = vi.spyOn(SqliteInboxTable.prototype, 'earliestDue');
    socket.send('ping');
    expect(await socket.nextText()).toBe('pong');
    expect(wakes).not.toHaveBeenCalled();
    wakes.mockRestore();
    const session = await createSession();
    const { interactionId } = await open(session);
    expect((await socket.changeOf(session.id)).upserts).toMatchObject([{ interactionId }]);
    socket.close();
  });

  it('[INBOX-2, AUTH-7] closes when its key is revoked, also while the workspace sleeps', async () => {
    const key = await createKey(['read']);
    const person = await minted(key.token, ['read'], { subject: 'ada' });
    const socket = await connect(person.token);
    const stays = await connect();
    await Promise.all([socket.next(), stays.next()]);
    await evict(workspaceStub());
    await call('DELETE', `/v1/keys/${key.id}`);
    expect(await socket.next()).toMatchObject({ error: { code: 'unauthenticated' } });
    expect(await socket.closed).toBe(4401);
    stays.send('ping');
    expect(await stays.nextText()).toBe('pong');
    stays.close();
  });

  it('[INBOX-2] takes no frames', async () => {
    const socket = await connect();
    await socket.next();
    socket.send('{"type":"answer"}');
    expect(await socket.next()).toMatchObject({ error: { code: 'invalid_request' } });
    expect(await socket.closed).toBe(1008);
  });

  it('[INBOX-2, AUTH-2] is for workspace-wide readers, of configured origins, who upgrade', async () => {
    const session = await createSession();
    const ofSession = await minted(undefined, ['read'], { session });
    const writer = await minted(undefined, ['send'], { subject: 'bob' });
    for (const { token } of [ofSession, writer]) {
      const socket = await connect(token);
      expect(await socket.next()).toMatchObject({ error: { code: 'forbidden' } });
      expect(await socket.closed).toBe(4403);
    }
    const stranger = await connect(ADMIN, { Origin: 'https://evil.example' });
    expect(await stranger.closed).toBe(4403);
    expect((await call('GET', '/v1/inbox/socket')).status).toBe(426);
    expect((await call('GET', '/v1/inbox/socket', { token: null })).status).toBe(401);
  });
});

describe('the stream of the inbox', () => {
  it('[INBOX-2, WS-4] sends the same, and outlasts eviction', async () => {
    const headers = headersOf({});
    headers.set('Accept', 'text/event-stream');
    const response = await SELF.fetch(`${ORIGIN}/v1/inbox`, { headers });
    expect(response.headers.get('Content-Type')).toBe('text/event-stream');
    if (response.body === null) throw new Error('No stream');
    const stream = new TestStream(response.body);
    expect((await stream.next()).event).toBe('inbox');
    await evict(workspaceStub());
    const session = await createSession();
    const { interactionId } = await open(session);
    let said = await stream.next();
    while (!said.data.includes(session.id)) said = await stream.next();
    expect(said.event).toBe('inbox_changed');
    expect(JSON.parse(said.data)).toMatchObject({ upserts: [{ interactionId }] });
    await stream.leave();
  });
});
