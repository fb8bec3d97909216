/**
 * The log as server-sent events: ids that are cursors, resuming, refusals, readers that leave.
 *
 * A bug would look like an EventSource that receives an event twice or never after a reconnect; a session
 * that keeps a place for every reader that ever left.
 */
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { SessionEvent } from '../../src/protocol/schema/event.ts';
import { call, must } from './support/api.ts';
import { attachments, evict } from './support/objects.ts';
import { hurryIntervals } from './support/hurry.ts';
import {
  type TestSession,
  answer,
  createSession,
  logOf,
  open,
  sessionStub,
} from './support/session.ts';
import { type Listen, type TestStream, listen, requestStream } from './support/stream.ts';
import { until } from './support/until.ts';

function append(session: TestSession, text: string) {
  const events = [{ type: 'assistant_text', payload: { text } }];
  return must('POST', `${session.path}/events`, { body: { events } });
}

afterEach(() => {
  vi.restoreAllMocks();
});

/** Events until this one, checked to be named and numbered as they are. */
async function upTo(stream: TestStream, seq: number): Promise<SessionEvent[]> {
  const events: SessionEvent[] = [];
  while ((events.at(-1)?.seq ?? 0) < seq) {
    const message = await stream.next();
    if (message.id === undefined) continue;
    const event = JSON.parse(message.data) as SessionEvent;
    expect(message).toMatchObject({ id: String(event.seq), event: event.type });
    events.push(event);
  }
  return events;
}

async function refused(session: TestSession, ask: Listen) {
  const response = await requestStream(session, ask);
  return { status: response.status, error: (await response.json<{ error: object }>()).error };
}

describe('a stream', () => {
  it('[WS-4] welcomes, replays and continues live; the id of each event is its position in the log', async () => {
    const session = await createSession();
    const { interactionId } = await open(session);
    const stream = await listen(session);
    const first = await stream.next();
    expect(first.event).toBe('welcome');
    expect(first.id).toBe(undefined);
    expect(JSON.parse(first.data)).toMatchObject({ head: 3, open: [{ interactionId }] });
    const replayed = await upTo(stream, 3);
    await answer(session, interactionId);
    const live = await upTo(stream, 5);
    expect([...replayed, ...live]).toEqual(await logOf(session));
    await stream.leave();
  });

  it('[WS-4] resumes after Last-Event-ID, which wins over the cursor of its address', async () => {
    const session = await createSession();
    for (let count = 0; count < 30; count += 1) await append(session, `text ${count}`);
    const heard: SessionEvent[] = [];
    for (const stopAt of [1, 2, 17, 30, 31]) {
      const last = heard.at(-1)?.seq;
      const cursor = last === undefined ? {} : { lastEventId: String(last) };
      const stream = await listen(session, { after: 0, ...cursor });
      heard.push(...(await upTo(stream, stopAt)).filter((event) => event.seq <= stopAt));
      await stream.leave();
    }
    expect(heard).toEqual(await logOf(session));
  });

  it('[WS-4, LOG-6] is refused with a cursor that is ahead of the log or malformed', async () => {
    const session = await createSession();
    expect(await refused(session, { after: 9 })).toMatchObject({
      status: 400,
      error: { code: 'cursor_ahead', details: { head: 1 } },
    });
    expect(await refused(session, { lastEventId: '9' })).toMatchObject({
      error: { code: 'cursor_ahead' },
    });
    for (const lastEventId of ['x', '-1', '1.5', '1,2']) {
      expect(await refused(session, { lastEventId })).toMatchObject({
        status: 400,
        error: { code: 'invalid_request' },
      });
    }
  });

  it('[WS-4, AUTH-2] is refused without a credential, without the scope, or of another session', async () => {
    const session = await createSession();
    const tokens = `${session.path}/tokens`;
    const { token: agent } = await must('POST', tokens, { body: { scopes: ['agent'] } });
    const { token: reader } = await must('POST', tokens, { body: { scopes: ['read'] } });
    const other = await createSession();
    expect(await refused(session, { token: null })).toMatchObject({ status: 401 });
    expect(await refused(session, { token: agent ?? '' })).toMatchObject({ status: 403 });
    expect(await refused(other, { token: reader ?? '' })).toMatchObject({ status: 404 });
    const stream = await listen(session, { token: reader ?? '' });
    await stream.leave();
  });

  it('[WS-4, LOG-9] ends with the session, after the outcomes of its interactions', async () => {
    const session = await createSession();
    await open(session);
    const stream = await listen(session);
    await call('DELETE', session.path);
    const cancelled = await stream.heard((event) => event.type === 'interaction_response');
    expect(cancelled.payload).toMatchObject({ outcome: 'cancelled' });
    let message = await stream.next();
    // What is no event of the log has no id: that the agent has left, and why the stream ends.
    while (message.event !== 'error') message = await stream.next();
    expect(message.id).toBeUndefined();
    expect(JSON.parse(message.data)).toMatchObject({ error: { code: 'session_deleted' } });
    await stream.ended;
  });

  it('[WS-4, INT-9] continues after evictions', async () => {
    const session = await createSession();
    const stream = await listen(session);
    for (let life = 0; life < 3; life += 1) {
      await evict(sessionStub(session));
      await append(session, `life ${life}`);
    }
    expect(await upTo(stream, 4)).toEqual(await logOf(session));
    await stream.leave();
  });
});

describe('a reader that leaves', () => {
  it('[WS-4, WS-5] frees its place, and the other readers receive every event', async () => {
    hurryIntervals(100);
    const session = await createSession();
    const streams = await Promise.all(Array.from({ length: 5 }, () => listen(session)));
    expect(await attachments(session)).toHaveLength(5);
    const staying = streams.pop() as TestStream;
    await Promise.all(streams.map((stream) => stream.leave()));
    await append(session, 'somebody is gone');
    await until(async () => (await attachments(session)).length === 1);
    await append(session, 'and nobody minds');
    expect(await upTo(staying, 3)).toEqual(await logOf(session));
    await staying.leave();
  });
});
