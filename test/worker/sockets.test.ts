/**
 * A session's socket over the real platform: the handshake, replay and live, refusals, closes.
 *
 * A bug would look like an event received twice or never where replay ends and live starts; a browser that
 * sees only "1006" and cannot tell whether to reconnect; a page that hangs in closing.
 */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ERRORS } from '../../src/protocol/errors.ts';
import type { SessionEvent } from '../../src/protocol/schema/event.ts';
import { LIMITS } from '../../src/protocol/limits.ts';
import { ADMIN, ORIGIN, call, must } from './support/api.ts';
import { countWakes, evict } from './support/objects.ts';
import {
  type TestSession,
  answer,
  createSession,
  logOf,
  open,
  question,
  sessionStub,
} from './support/session.ts';
import { type Connect, TestSocket, connect, upgrade } from './support/socket.ts';
import { listen } from './support/stream.ts';

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

async function sessionToken(session: TestSession, scopes: string[], more = {}): Promise<string> {
  const path = `${session.path}/tokens`;
  return (await must('POST', path, { body: { scopes, ...more } })).token ?? '';
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

describe('frames', () => {
  it('[WS-2] open and answer an interaction, each result with the id of its frame', async () => {
    const session = await createSession();
    const socket = await connect(session, { after: 1 });
    const opened = await socket.ask({ type: 'open', id: 'one', ...question() });
    expect(opened).toMatchObject({ id: 'one', ok: true, value: { interaction: { rev: 1 } } });
    const { interactionId } = (opened.value as { interaction: { interactionId: string } })
      .interaction;
    const answerFrame = { type: 'answer', interactionId, answer: { answers: { 0: 'Blue' } } };
    const [first, second] = await Promise.all([
      socket.ask({ ...answerFrame, id: 'two' }),
      answer(session, interactionId, { answers: { 0: 'Red' } }),
    ]);
    const { interaction } = await must('GET', `${session.path}/interactions/${interactionId}`);
    expect([first.ok, second.status === 200].filter(Boolean)).toHaveLength(1);
    expect(interaction?.answers).toEqual({ 0: first.ok ? 'Blue' : 'Red' });
    const late = await socket.ask({ ...answerFrame, id: 'three' });
    expect(late).toMatchObject({ id: 'three', ok: false, error: { code: 'already_settled' } });
    expect(late.error?.details).toMatchObject({ outcome: 'answered' });
    socket.close();
  });

  it('[WS-2, TXT-2, CAN-2] send text, cancel one, cancel all and interrupt', async () => {
    const session = await createSession();
    const socket = await connect(session, { after: 1 });
    const one = await open(session, question());
    expect(await socket.ask({ type: 'message', id: 'text', text: 'Blue' })).toMatchObject({
      ok: true,
      value: { routed: 'interaction', interactionId: one.interactionId },
    });
    const two = await open(session);
    const cancel = { type: 'cancel', id: 'cancel', interactionId: two.interactionId };
    expect(await socket.ask(cancel)).toMatchObject({
      ok: true,
      value: { interaction: { outcome: 'cancelled' } },
    });
    await Promise.all([open(session), open(session)]);
    expect(await socket.ask({ type: 'cancel', id: 'all' })).toMatchObject({
      value: { cancelled: 2 },
    });
    await open(session);
    expect(await socket.ask({ type: 'interrupt', id: 'stop' })).toMatchObject({
      value: { cancelled: 1 },
    });
    socket.close();
  });

  it('[WS-2] repeated with their idempotency key get the first result', async () => {
    const session = await createSession();
    const { interactionId } = await open(session);
    const socket = await connect(session, { after: 3 });
    const frame = {
      type: 'answer',
      interactionId,
      answer: { decision: 'approve' },
      idempotencyKey: 'the-same-key',
    };
    const first = await socket.ask({ ...frame, id: 'first' });
    const again = await socket.ask({ ...frame, id: 'again' });
    expect(again).toEqual({ ...first, id: 'again' });
    const other = { ...frame, id: 'other', answer: { decision: 'deny' } };
    expect(await socket.ask(other)).toMatchObject({
      ok: false,
      error: { code: 'idempotency_key_reused' },
    });
    socket.close();
  });

  it('[WS-2, AUTH-6] are refused as over HTTP when the credential may not', async () => {
    const session = await createSession();
    const { interactionId } = await open(session);
    const token = await sessionToken(session, ['read', 'agent']);
    const socket = await connect(session, { token });
    for (const frame of [
      { type: 'answer', interactionId, answer: { decision: 'approve' } },
      { type: 'message', text: 'yes', replyTo: interactionId },
      { type: 'cancel', interactionId },
      { type: 'interrupt' },
    ]) {
      const result = await socket.ask({ ...frame, id: 'no' });
      expect(result).toMatchObject({ ok: false, error: { code: 'forbidden' } });
    }
    const own = await socket.ask({ type: 'cancel', id: 'its own, of which there are none' });
    expect(own).toMatchObject({ ok: true, value: { cancelled: 0 } });
    expect((await must('GET', session.path)).open).toHaveLength(1);
    socket.close();
  });

  it('[WS-3] that are malformed get an error, and the third in a row ends the connection', async () => {
    const session = await createSession();
    const socket = await connect(session, { after: 1 });
    await socket.next('welcome');
    const malformed = ['{', '{"type":"dance","id":"x"}'];
    for (const frame of malformed) {
      socket.send(frame);
      expect((await socket.next('error')).error.code).toMatch(/^invalid_/);
    }
    await socket.ask({ type: 'cancel', id: 'a good one' });
    for (const frame of malformed) socket.send(frame);
    socket.sendBytes(new Uint8Array([123, 125]).buffer);
    for (let errors = 0; errors < 3; errors += 1) await socket.next('error');
    expect((await socket.closed).code).toBe(1008);
  });

  it('[WS-3, INT-9] that are malformed are counted over an eviction', async () => {
    const session = await createSession();
    const socket = await connect(session, { after: 1 });
    for (let times = 0; times < 3; times += 1) {
      await evict(sessionStub(session));
      socket.send('nonsense');
      await socket.next('error');
    }
    expect((await socket.closed).code).toBe(1008);
  });

  it('[WS-3] over 256 KiB end the connection with 1009', async () => {
    const session = await createSession();
    for (const text of ['x'.repeat(LIMITS.inboundFrameBytes + 1), '€'.repeat(90_000)]) {
      const socket = await connect(session, { after: 1 });
      socket.send(text);
      expect((await socket.next('error')).error.code).toBe('too_large');
      expect((await socket.closed).code).toBe(1009);
    }
  });
});

describe('a thousand sockets', () => {
  it('[WS-5, LIM-2] on one session all receive events; one more is refused for now; streams do not count', {
    timeout: 60_000,
  }, async () => {
    const session = await createSession();
    const { interactionId } = await open(session);
    const sockets: TestSocket[] = [];
    for (let count = 0; count < LIMITS.sockets; count += 50) {
      const more = Array.from({ length: 50 }, () => connect(session, { after: 3 }));
      sockets.push(...(await Promise.all(more)));
    }
    const extra = await connect(session);
    expect((await extra.next('error')).error).toMatchObject({
      code: 'limit_reached',
      details: { limit: 'sockets', max: LIMITS.sockets },
    });
    expect((await extra.closed).code).toBe(ERRORS.limit_reached.close);
    const stream = await listen(session, { after: 3 });

    const gone = sockets.splice(0, 100);
    for (const socket of gone) socket.close();
    await answer(session, interactionId);
    const isResponse = (event: SessionEvent) => event.type === 'interaction_response';
    await Promise.all(sockets.map((socket) => socket.heard(isResponse)));
    await stream.heard(isResponse);
    const again = await connect(session);
    await again.next('welcome');
    for (const socket of [...sockets, again]) socket.close();
    await stream.leave();
  });
});
