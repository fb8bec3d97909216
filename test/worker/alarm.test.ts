/**
 * Deadlines pass without a request: by the session's alarm, and by the workspace's when that alarm is lost.
 *
 * A bug would look like a question that never expires because its alarm was used up, dropped or lost; a
 * question that expires early; a question that expires twice. The test moves the clock by hand where ten
 * minutes must pass; the platform's own alarms keep real time, so they do not interfere.
 */
import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { SqliteSessionStore } from '../../src/platform/sqlite/session-store.ts';
import type { EventOf, SessionEvent } from '../../src/protocol/schema/event.ts';
import { must } from './support/api.ts';
import { told } from './support/costs.ts';
import { alarmOf, evict, loseAlarm } from './support/objects.ts';
import {
  type TestSession,
  answer,
  approval,
  createSession,
  logOf,
  open,
  question,
  sessionStub,
  workspaceStub,
} from './support/session.ts';
import { connect } from './support/socket.ts';

const MINUTE = 60_000;

afterEach(async () => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  // In memory it would keep the clock of this test, and date what later tests create. Only what is awake can be evicted.
  await must('GET', '/v1/inbox');
  await evict(workspaceStub());
});

/** From now on the Worker and its objects see this clock; their alarms do not. */
function holdClock(): { advance: (ms: number) => void } {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
  return { advance: (ms) => vi.advanceTimersByTime(ms) };
}

function expired(event: SessionEvent): boolean {
  return event.type === 'interaction_response' && event.payload.outcome === 'expired';
}

function eventsOfType<Type extends SessionEvent['type']>(log: SessionEvent[], type: Type) {
  return log.filter((event) => event.type === type) as EventOf<Type>[];
}

async function alarm(session: TestSession): Promise<void> {
  expect(await runDurableObjectAlarm(sessionStub(session))).toBe(true);
}

describe('the alarm of a session', () => {
  it('[TIME-1, INT-9] is set once for a question without a deadline, until the inbox has it', async () => {
    const clock = holdClock();
    const session = await createSession();
    const { expiresAt } = await open(session);
    expect(expiresAt).toBeNull();
    expect(await alarmOf(session)).toBeLessThanOrEqual(Date.now() + 10 * MINUTE);
    clock.advance(10 * MINUTE);
    await alarm(session);
    expect(await alarmOf(session)).toBeNull();
    clock.advance(365 * 24 * 60 * MINUTE);
    expect(await runDurableObjectAlarm(sessionStub(session))).toBe(false);
    expect((await must('GET', session.path)).open).toHaveLength(1);
  });

  it('[TIME-2] is set for the deadline and expires the interaction, with the message of its kind', async () => {
    const clock = holdClock();
    const session = await createSession({ timeouts: { approval: 600, question: 600 } });
    const first = await open(session);
    await open(session, question());
    expect(await alarmOf(session)).toBe(first.expiresAt);
    const socket = await connect(session, { after: 5 });
    clock.advance(10 * MINUTE);
    await alarm(session);

    await socket.heard((event) => event.seq === 9);
    const ended = eventsOfType(socket.events, 'interaction_response');
    expect(ended.map(({ payload }) => payload)).toMatchObject([
      {
        action: 'cancel',
        outcome: 'expired',
        settledBy: { subject: 'system', via: 'timeout' },
        message: 'Tool approval timed out after 10 minutes',
      },
      { outcome: 'expired', message: 'User did not respond within 10 minutes' },
    ]);
    expect(await logOf(session)).toHaveLength(9);
    socket.close();
  });

  it('[TIME-3] that runs early or twice changes nothing, and stays set for the deadline', async () => {
    const clock = holdClock();
    const session = await createSession();
    const { expiresAt } = await open(session, approval({ timeoutSeconds: 600 }));
    clock.advance(10 * MINUTE - 1);
    await alarm(session);
    expect(await logOf(session)).toHaveLength(3);
    expect(await alarmOf(session)).toBe(expiresAt);

    clock.advance(1);
    await alarm(session);
    expect(eventsOfType(await logOf(session), 'interaction_response')).toHaveLength(1);
    await runInDurableObject(sessionStub(session), (object) => object.alarm());
    expect(await logOf(session)).toHaveLength(5);
  });

  it('[TIME-3] covers the earliest of several deadlines, one after the other', async () => {
    const clock = holdClock();
    const session = await createSession();
    const times = [
      await open(session, approval({ timeoutSeconds: 300 })),
      await open(session, approval({ timeoutSeconds: 60 })),
      await open(session, approval({ timeoutSeconds: 900 })),
      await open(session, approval({ timeoutSeconds: null })),
    ].flatMap(({ expiresAt }) => expiresAt ?? []);
    for (const due of times.toSorted((a, b) => a - b)) {
      expect(await alarmOf(session)).toBe(due);
      clock.advance(due - Date.now());
      await alarm(session);
    }
    expect(await alarmOf(session)).toBe(null);
    const log = await logOf(session);
    expect(log.filter(expired)).toHaveLength(3);
    expect((await must('GET', session.path)).open).toHaveLength(1);
  });

  it('[TIME-2] fires by itself for a socket that only listens', async () => {
    const session = await createSession();
    const { expiresAt } = await open(session, approval({ timeoutSeconds: 1 }));
    const socket = await connect(session, { after: 3 });
    const event = await socket.heard(expired);
    expect(event.at).toBeGreaterThanOrEqual(expiresAt ?? Infinity);
    socket.close();
  });

  it('[TIME-2, INT-9] wakes an evicted session in time', async () => {
    const session = await createSession();
    await open(session, approval({ timeoutSeconds: 1 }));
    const socket = await connect(session, { after: 3 });
    await evict(sessionStub(session));
    await socket.heard(expired);
    expect(eventsOfType(await logOf(session), 'interaction_response')).toHaveLength(1);
    socket.close();
  });

  it('[TIME-5, TIME-6] reminds once, escalates once, and marks a kept interaction as overdue', async () => {
    const clock = holdClock();
    const session = await createSession();
    const marks = { remindAfter: 60, escalateAfter: 120, onExpire: 'keep' };
    const asked = question({ timeoutSeconds: 600, ...marks });
    const { interactionId } = await open(session, asked);
    for (let minute = 0; minute < 10; minute += 1) {
      clock.advance(MINUTE);
      await runDurableObjectAlarm(sessionStub(session));
    }
    const updates = eventsOfType(await logOf(session), 'interaction_update');
    expect(updates.map(({ payload }) => payload.change)).toEqual([
      'reminder',
      'escalated',
      'overdue',
    ]);
    const { interaction } = await must('GET', `${session.path}/interactions/${interactionId}`);
    expect(interaction).toMatchObject({ status: 'open', overdue: true, expiresAt: null });
    expect((await answer(session, interactionId, { answers: { 0: 'Red' } })).status).toBe(200);
  });

  it('[TIME-3, LOG-8] is set again when the expiry could not be written, and then ends it', async () => {
    const clock = holdClock();
    const session = await createSession();
    await open(session, approval({ timeoutSeconds: 600 }));
    clock.advance(10 * MINUTE);
    const commit = vi.spyOn(SqliteSessionStore.prototype, 'commit').mockImplementation(() => {
      throw new Error('The disk is full');
    });
    vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    await alarm(session);
    expect(commit).toHaveBeenCalled();
    const next = await alarmOf(session);
    // Set for the present it would do nothing but fail, as often as the machine can.
    expect(next).toBeGreaterThanOrEqual(Date.now() + 1_000);
    commit.mockRestore();

    clock.advance((next ?? 0) - Date.now());
    await alarm(session);
    expect((await logOf(session)).filter(expired)).toHaveLength(1);
  });
});

describe('an alarm that was lost', () => {
  it('[TIME-2, TIME-3] leaves no open interaction to a caller: a reader and an answer find it expired', async () => {
    const clock = holdClock();
    for (const look of [
      async (session: TestSession) => {
        expect((await must('GET', session.path)).open).toEqual([]);
      },
      async (session: TestSession, interactionId: string) => {
        const late = await answer(session, interactionId);
        expect(late.status).toBe(409);
        expect(late.body.error?.details).toMatchObject({ outcome: 'expired' });
      },
    ]) {
      const session = await createSession();
      const { interactionId } = await open(session, approval({ timeoutSeconds: 600 }));
      await loseAlarm(session);
      clock.advance(10 * MINUTE);
      await look(session, interactionId);
      expect((await logOf(session)).filter(expired)).toHaveLength(1);
    }
  });

  it('[TIME-3] is set again whenever the session wakes', async () => {
    const session = await createSession();
    const { expiresAt } = await open(session, approval({ timeoutSeconds: 600 }));
    await loseAlarm(session);
    await evict(sessionStub(session));
    await must('GET', `/v1/sessions/${session.id}`);
    expect(await alarmOf(session)).toBe(expiresAt);
  });

  it('[TIME-3] is replaced by the workspace, two minutes after the reported deadline', async () => {
    const clock = holdClock();
    const session = await createSession();
    await open(session, approval({ timeoutSeconds: 600 }));
    await told(session);
    await loseAlarm(session);
    const socket = await connect(session, { after: 3 });
    await socket.next('welcome');

    clock.advance(11 * MINUTE);
    expect(await runDurableObjectAlarm(workspaceStub())).toBe(true);
    expect(socket.events).toEqual([]);
    clock.advance(MINUTE);
    expect(await runDurableObjectAlarm(workspaceStub())).toBe(true);
    await socket.heard(expired);
    await told(session);
    const { interactions } = await must('GET', '/v1/inbox?limit=1000');
    expect(interactions?.filter((one) => one.sessionId === session.id)).toEqual([]);
    socket.close();
  });
});
