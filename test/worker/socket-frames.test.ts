/** Frames of clients over the real platform. A bug would look like a command that one frame runs and another refuses. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ERRORS } from '../../src/protocol/errors.ts';
import type { SessionEvent } from '../../src/protocol/schema/event.ts';
import { LIMITS } from '../../src/protocol/limits.ts';
import { must } from './support/api.ts';
import { evict } from './support/objects.ts';
import { answer, createSession, open, question, sessionStub } from './support/session.ts';
import { TestSocket, connect } from './support/socket.ts';
import { listen } from './support/stream.ts';
import { sessionToken } from './support/socket-session.ts';
import { inLongRun } from '../support/run-length.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
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

inLongRun(() => {
  describe('a thousand sockets', () => {
    it('[WS-5, LIM-2] on one session all receive events; one more is refused for now; streams do not count', {
      timeout: 60_000,
    }, async () => {
      const session = await createSession();
      const { interactionId } = await open(session);
      const sockets: TestSocket[] = [];
      for (let count = 0; count < LIMITS.sockets; count += LIMITS.rootSockets) {
        const token = await sessionToken(session, ['read', 'answer']);
        const more = Array.from({ length: LIMITS.rootSockets }, () =>
          connect(session, { after: 3, token }),
        );
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
});
