/**
 * A session's socket over the real platform: the handshake, replay and live, refusals, closes.
 *
 * A bug would look like an event received twice or never where replay ends and live starts; a browser that
 * sees only "1006" and cannot tell whether to reconnect; a page that hangs in closing.
 */
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { SessionEvent } from '../../src/protocol/schema/event.ts';
import { LIMITS } from '../../src/protocol/limits.ts';
import { ADMIN, ORIGIN, call, must } from './support/api.ts';
import { countWakes, evict } from './support/objects.ts';
import {
  type TestSession,
  createSession,
  logOf,
  open,
  question,
  sessionStub,
} from './support/session.ts';
import { type Connect, TestSocket, connect, upgrade } from './support/socket.ts';
import { sessionToken } from './support/socket-session.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** One event for each text, in one batch. */
function append(session: TestSession, texts: readonly string[]) {
  const events = texts.map((text) => ({ type: 'assistant_text', payload: { text } }));
  return must('POST', `${session.path}/events`, { body: { events } });
}

function numbered(from: number, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `text ${from + index}`);
}

describe('the handshake', () => {
  it('[WS-1, AUTH-1] takes the token from the subprotocol and echoes holdpoint.v1 alone', async () => {
    const session = await createSession();
    const response = await upgrade(session);
    expect(response.status).toBe(101);
    expect(response.headers.get('Sec-WebSocket-Protocol')).toBe('holdpoint.v1');
    const socket = new TestSocket(response.webSocket as WebSocket);
    await socket.next('welcome');
    socket.close();
  });

  it('[WS-1, AUTH-1] echoes nothing when only a token was offered, or a header carried it', async () => {
    const session = await createSession();
    for (const headers of [
      { 'Sec-WebSocket-Protocol': `holdpoint.token.${ADMIN}` },
      { 'Sec-WebSocket-Protocol': 'something.else', Authorization: `Bearer ${ADMIN}` },
    ]) {
      const response = await upgrade(session, { headers });
      expect(response.headers.get('Sec-WebSocket-Protocol')).toBe(null);
      const socket = new TestSocket(response.webSocket as WebSocket);
      await socket.next('welcome');
      socket.close();
    }
  });

  it('[WS-1] starts with the open interactions, before any history', async () => {
    const session = await createSession();
    const { interactionId } = await open(session, question());
    const socket = await connect(session);
    const welcome = JSON.parse(await socket.nextText());
    expect(welcome).toMatchObject({
      type: 'welcome',
      protocol: 'holdpoint.v1',
      session: { id: session.id, waitingForPerson: true },
      head: 3,
      open: [{ interactionId, status: 'open' }],
    });
    expect(Math.abs(welcome.now - Date.now())).toBeLessThan(60_000);
    socket.close();
  });

  it('[WS-1] without an upgrade is 426', async () => {
    const session = await createSession();
    const reply = await call('GET', `${session.path}/socket`);
    expect(reply.status).toBe(426);
    expect(reply.body.error?.code).toBe('upgrade_required');
  });
});

describe('a refusal', () => {
  /** The socket carries the refusal, because a browser cannot read a status. */
  async function refusal(session: TestSession, ask: Connect) {
    const response = await upgrade(session, ask);
    expect(response.status).toBe(101);
    const socket = new TestSocket(response.webSocket as WebSocket);
    const { error } = await socket.next('error');
    const { code: close, reason } = await socket.closed;
    expect(reason).toBe(error.code);
    return { error, close, protocol: response.headers.get('Sec-WebSocket-Protocol') };
  }

  it('[WS-3, AUTH-2] of a bad credential closes with 4401', async () => {
    const session = await createSession();
    for (const token of ['hp_nothing.at-all', 'wrong', `${ADMIN}x`]) {
      const { error, close, protocol } = await refusal(session, { token });
      expect(error.code).toBe('unauthenticated');
      expect(close).toBe(4401);
      expect(protocol).toBe('holdpoint.v1');
    }
    const none = await refusal(session, { headers: { 'Sec-WebSocket-Protocol': 'holdpoint.v1' } });
    expect(none).toMatchObject({ error: { code: 'unauthenticated' }, close: 4401 });
  });

  it('[WS-3, AUTH-6] of a credential that may not read closes with 4403', async () => {
    const session = await createSession();
    const token = await sessionToken(session, ['agent', 'send']);
    expect(await refusal(session, { token })).toMatchObject({
      error: { code: 'forbidden' },
      close: 4403,
    });
  });

  it('[WS-3, AUTH-4] of a page from a foreign origin closes with 4403; our own is welcome', async () => {
    const session = await createSession();
    const foreign = { headers: { Origin: 'https://elsewhere.example' } };
    expect(await refusal(session, foreign)).toMatchObject({ close: 4403 });
    const socket = await connect(session, { headers: { Origin: ORIGIN } });
    await socket.next('welcome');
    socket.close();
  });

  it('[WS-3, AUTH-2] of a missing or foreign session closes with 4404', async () => {
    const session = await createSession();
    const nobody = { id: 'never-began', path: '/v1/sessions/never-began' };
    expect(await refusal(nobody, {})).toMatchObject({ error: { code: 'not_found' }, close: 4404 });
    const token = await sessionToken(await createSession(), ['read']);
    expect(await refusal(session, { token })).toMatchObject({ close: 4404 });
  });

  it('[WS-3, LOG-6] of a cursor ahead of the log closes with 4409 and returns the head', async () => {
    const session = await createSession();
    expect(await refusal(session, { after: 2 })).toMatchObject({
      error: { code: 'cursor_ahead', details: { head: 1 } },
      close: 4409,
    });
    const socket = await connect(session, { after: 1 });
    await socket.next('welcome');
    socket.close();
  });

  it('[WS-3] of a malformed cursor closes with 1008', async () => {
    const session = await createSession();
    for (const after of ['-1', 'x', '1.5', '1e3', '']) {
      const { error, close } = await refusal(session, { after });
      expect(error.code).toBe('invalid_request');
      expect(close).toBe(1008);
    }
  });
});

describe('replay and live', () => {
  function expectWhole(heard: readonly SessionEvent[], log: readonly SessionEvent[], after = 0) {
    expect(heard.map((event) => event.seq)).toEqual(log.slice(after).map((event) => event.seq));
    expect(heard).toEqual(log.slice(after));
  }

  it('[WS-1, LOG-4] meet without a gap or a double over 2,000 events while others append', {
    timeout: 60_000,
  }, async () => {
    const session = await createSession();
    // Long enough that a replay takes several turns of the object, with appends in between.
    const long = 'x'.repeat(2_000);
    for (let from = 0; from < 2_000; from += 100) {
      await append(
        session,
        numbered(from, 100).map((text) => `${text} ${long}`),
      );
    }
    const cursors = [0, 1, 99, 100, 101, 1_234, 1_999, 2_000, 2_001];
    let added = 0;
    const adding = (async () => {
      for (let batch = 0; batch < 40; batch += 1) {
        await append(session, numbered(2_000 + batch * 10, 10));
        added += 10;
      }
    })();
    const sockets = await Promise.all(
      cursors.map(async (after) => {
        // Spread over the time of the appending, so that each meets it somewhere else.
        while (added < (cursors.indexOf(after) + 1) * 20) await new Promise(requestSoon);
        return { after, socket: await connect(session, { after }) };
      }),
    );
    await adding;
    await append(session, ['the last']);
    const log = await logOf(session);
    expect(log).toHaveLength(2_402);
    for (const { after, socket } of sockets) {
      await socket.heard((event) => event.seq === log.length);
      expectWhole(socket.events, log, after);
      socket.close();
    }
  });

  it('[WS-1] a socket lost anywhere resumes from its last event and misses nothing', async () => {
    const session = await createSession();
    await append(session, numbered(0, 1_000));
    const heard: SessionEvent[] = [];
    for (let life = 0; life < 10; life += 1) {
      const socket = await connect(session, { after: heard.at(-1)?.seq ?? 0 });
      await append(session, numbered(1_000 + life * 7, 7));
      await socket.next('events');
      socket.close();
      await socket.closed;
      heard.push(...socket.events);
    }
    const last = await connect(session, { after: heard.at(-1)?.seq ?? 0 });
    const log = await logOf(session);
    if (heard.length < log.length) await last.heard((event) => event.seq === log.length);
    expectWhole([...heard, ...last.events], log);
    last.close();
  });

  it('[WS-1] a frame holds at most 256 KiB of events, or one event', async () => {
    const session = await createSession();
    const live = await connect(session, { after: 1 });
    await append(session, ['x'.repeat(100_000), 'y'.repeat(100_000), 'small']);
    await append(session, ['a', 'z'.repeat(200_000), 'b']);
    await append(session, ['\u{1f600}'.repeat(50_000), 'c']);
    const replayed = await connect(session, { after: 1 });
    for (const socket of [live, replayed]) {
      const sizes: number[] = [];
      await socket.next('welcome');
      for (let events = 0; events < 8; ) {
        const text = await socket.nextText();
        events += (JSON.parse(text) as { events: unknown[] }).events.length;
        sizes.push(new TextEncoder().encode(text).byteLength);
      }
      expect(Math.max(...sizes)).toBeLessThanOrEqual(LIMITS.eventFrameBytes);
      expectWhole(socket.events, await logOf(session), 1);
      socket.close();
    }
  });

  it('[WS-1, INT-9] continues after an eviction of the session in the middle of it', async () => {
    const session = await createSession();
    await append(session, numbered(0, 1_000));
    const socket = await connect(session);
    for (let life = 0; life < 3; life += 1) {
      await evict(sessionStub(session));
      await append(session, [`life ${life}`]);
    }
    const log = await logOf(session);
    await socket.heard((event) => event.seq === log.length);
    expectWhole(socket.events, log);
    socket.close();
  });
});

function requestSoon(resolve: (value: unknown) => void): void {
  setTimeout(resolve, 1);
}

describe('ping', () => {
  it('[WS-3] is answered with pong, and the session sleeps on', async () => {
    const session = await createSession();
    const socket = await connect(session, { after: 1 });
    await socket.next('welcome');
    await evict(sessionStub(session));
    const wakes = countWakes(session);
    for (let times = 0; times < 5; times += 1) {
      socket.send('ping');
      expect(await socket.nextText()).toBe('pong');
    }
    expect(wakes()).toBe(0);
    await must('GET', session.path);
    expect(wakes()).toBe(1);
    socket.close();
  });
});

describe('a close', () => {
  it('[WS-3] by the client is returned with its own code', async () => {
    const session = await createSession();
    for (const code of [1000, 1001, 4000]) {
      const socket = await connect(session);
      await socket.next('welcome');
      socket.close(code);
      expect((await socket.closed).code).toBe(code);
    }
  });

  it('[WS-3, LOG-9] of a deleted session reaches every socket, with 4404', async () => {
    const session = await createSession();
    const { interactionId } = await open(session);
    const sockets = [await connect(session), await connect(session)];
    await call('DELETE', session.path);
    for (const socket of sockets) {
      const { error } = await socket.next('error');
      expect(error.code).toBe('session_deleted');
      expect((await socket.closed).code).toBe(4404);
      const last = socket.events.filter((event) => event.type === 'interaction_response').at(-1);
      expect(last?.payload).toMatchObject({ interactionId, outcome: 'cancelled' });
    }
  });
});
