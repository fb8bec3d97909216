/**
 * Waiting costs nothing: a session with open interactions can leave memory with everyone attached.
 *
 * A bug would look like this: `evictDurableObject` does not return, because a timer or a held request keeps
 * the object in memory, which in production is an hour of duration billed for every question. Or it
 * does return, and a waiting client never receives the answer.
 */
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { SessionEvent } from '../../src/protocol/schema/event.ts';
import { WAIT_IN_CALL_MS } from '../../src/session/pending-calls.ts';
import { call, must } from './support/api.ts';
import { hurryIntervals, hurryPendingCalls } from './support/hurry.ts';
import { AT_ONCE_MS, attachments, countConnections, countWakes, evict } from './support/objects.ts';
import {
  type TestSession,
  answer,
  approval,
  createSession,
  open,
  question,
  sessionStub,
  workspaceStub,
} from './support/session.ts';
import { type TestSocket, connect } from './support/socket.ts';
import { type TestStream, listen } from './support/stream.ts';
import { until } from './support/until.ts';
import { inLongRun } from '../support/run-length.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

function settles(interactionId: string) {
  return (event: SessionEvent) =>
    event.type === 'interaction_response' && event.payload.interactionId === interactionId;
}

/** A long-poll that is past its pending call when this resolves; its own promise is inside. */
async function poll(session: TestSession, interactionId: string, seconds = 55) {
  const before = await countConnections(session);
  const path = `${session.path}/interactions/${interactionId}?wait=${seconds}`;
  const outcome = must('GET', path);
  await until(async () => (await countConnections(session)) === before + 1);
  return { outcome };
}

/** Two sockets, a stream and a long-poll: every way to wait there is. */
async function everyoneWaits(session: TestSession, interactionId: string) {
  const sockets = [await connect(session), await connect(session)];
  const stream = await listen(session);
  const { outcome } = await poll(session, interactionId);
  return { sockets, stream, outcome };
}

async function everyoneHears(
  waiting: { sockets: TestSocket[]; stream: TestStream; outcome: Promise<{ settled?: boolean }> },
  interactionId: string,
) {
  for (const socket of waiting.sockets) await socket.heard(settles(interactionId));
  await waiting.stream.heard(settles(interactionId));
  expect(await waiting.outcome).toMatchObject({
    settled: true,
    interaction: { interactionId, status: 'settled', outcome: 'approved' },
  });
  for (const socket of waiting.sockets) socket.close();
  await waiting.stream.leave();
}

describe('an evicted session', () => {
  it('[INT-9, INT-8] leaves after the first seconds of a request, and answers a poll of then', async () => {
    const session = await createSession();
    const { interactionId } = await open(session);
    const path = `${session.path}/interactions/${interactionId}?wait=55`;
    const outcome = must('GET', path);
    await until(async () => (await attachments(session)).length === 1);
    expect(await countConnections(session), 'the call itself waits').toBe(0);
    expect(await evict(sessionStub(session))).toBeLessThan(AT_ONCE_MS);
    expect(await countConnections(session)).toBe(1);
    await answer(session, interactionId);
    expect(await outcome).toMatchObject({ settled: true, interaction: { outcome: 'approved' } });
  });

  it('[INT-9, INT-8] leaves at once with two sockets, a stream and a poll attached, and serves all four', async () => {
    hurryPendingCalls();
    const session = await createSession();
    const { interactionId } = await open(session);
    await open(session, question());
    const waiting = await everyoneWaits(session, interactionId);
    expect(await evict(sessionStub(session))).toBeLessThan(AT_ONCE_MS);

    expect((await answer(session, interactionId)).status).toBe(200);
    await everyoneHears(waiting, interactionId);
  });

  inLongRun(() => {
    it('[INT-9] leaves again after every kind of wake', async () => {
      hurryPendingCalls();
      const session = await createSession();
      const { interactionId } = await open(session);
      const waiting = await everyoneWaits(session, interactionId);
      for (const wake of [
        () => must('GET', session.path),
        () => open(session, question()),
        () => answer(session, 'never-asked~1'),
      ]) {
        expect(await evict(sessionStub(session))).toBeLessThan(AT_ONCE_MS);
        await wake();
      }
      expect(await evict(sessionStub(session))).toBeLessThan(AT_ONCE_MS);
      await answer(session, interactionId);
      await everyoneHears(waiting, interactionId);
    });
  });

  it('[INT-9, INT-8] may be evicted with its workspace: the answer still reaches all subscribers, and the inbox', async () => {
    hurryPendingCalls();
    const session = await createSession();
    const { interactionId } = await open(session);
    const waiting = await everyoneWaits(session, interactionId);
    const isInInbox = async () => {
      const { interactions } = await must('GET', '/v1/inbox?limit=1000');
      return interactions?.some((one) => one.interactionId === interactionId) === true;
    };
    await until(isInInbox);
    expect(await evict(sessionStub(session))).toBeLessThan(AT_ONCE_MS);
    expect(await evict(workspaceStub())).toBeLessThan(AT_ONCE_MS);

    await answer(session, interactionId);
    await everyoneHears(waiting, interactionId);
    await until(async () => !(await isInInbox()));
  });

  it('[INT-9, INT-16] detects from the connections alone that an agent waits', async () => {
    hurryPendingCalls();
    const session = await createSession();
    const { interactionId } = await open(session);
    const { outcome } = await poll(session, interactionId);
    await evict(sessionStub(session));
    const { interactions } = await must('GET', `${session.path}/interactions`);
    expect(interactions?.[0]).toMatchObject({ interactionId, agentWaiting: true });
    const settled = await answer(session, interactionId);
    expect(settled.body.interaction?.deliveredAt).toBe(settled.body.interaction?.settledAt);
    await outcome;
  });

  it('[INT-9, API-3] still answers the request that opened the interaction and waits', async () => {
    hurryPendingCalls();
    const session = await createSession();
    const body = approval({ toolCallId: 'call-waits' });
    const opening = call('POST', `${session.path}/interactions`, {
      body,
      headers: { Prefer: 'wait=55' },
    });
    await until(async () => (await countConnections(session)) === 1);
    expect(await evict(sessionStub(session))).toBeLessThan(AT_ONCE_MS);

    await answer(session, 'call-waits~1', { decision: 'deny', reason: 'No' });
    const reply = await opening;
    expect(reply.status).toBe(201);
    expect(reply.body).toMatchObject({ settled: true, interaction: { outcome: 'denied' } });
  });
});

/** A stream sends a sign of life every 15 seconds. */
const KEEP_ALIVES_AN_HOUR = 240;

describe('a wait', () => {
  it('[INT-9, WS-3, WS-4] of an hour wakes the session 0 times for sockets and streams, pings included', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
    let ticks = 0;
    let stream: TestStream | undefined;
    const session = await createSession();
    const { interactionId } = await open(session, approval({ timeoutSeconds: null }));
    const sockets = [await connect(session), await connect(session)];
    // The next sign of life only when the one before was read: a reader that takes nothing is gone.
    hurryIntervals(5, () => {
      if (stream === undefined || stream.comments < ticks) return false;
      ticks += 1;
      return true;
    });
    stream = await listen(session);
    await evict(sessionStub(session));
    const wakes = countWakes(session);

    for (let minute = 0; minute < 60; minute += 1) {
      vi.advanceTimersByTime(60_000);
      for (const socket of sockets) {
        socket.send('ping');
        while ((await socket.nextText()) !== 'pong');
      }
    }
    await until(() => (stream?.comments ?? 0) >= KEEP_ALIVES_AN_HOUR);
    expect(wakes()).toBe(0);

    await answer(session, interactionId);
    expect(wakes()).toBe(1);
    for (const socket of sockets) await socket.heard(settles(interactionId));
    await stream.heard(settles(interactionId));
    for (const socket of sockets) socket.close();
    await stream.leave();
  });

  inLongRun(() => {
    it('[INT-9] by long-poll wakes the session twice: when it starts and when it ends', async () => {
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
      const session = await createSession();
      const { interactionId } = await open(session);
      vi.advanceTimersByTime(WAIT_IN_CALL_MS);
      await evict(sessionStub(session));
      const wakes = countWakes(session);
      const path = `${session.path}/interactions/${interactionId}?wait=1`;
      const outcome = must('GET', path);
      await until(() => wakes() === 1);
      await evict(sessionStub(session));
      expect(await outcome).toMatchObject({ settled: false, interaction: { status: 'open' } });
      expect(wakes()).toBe(2);
    });
  });
});
