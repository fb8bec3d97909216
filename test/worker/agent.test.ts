/**
 * The built-in agent inside workerd: its memory while it waits, its rows, and its previews.
 *
 * A bug would look like an agent that waits for a person and keeps its object in memory, so that every
 * question is billed until its answer; or like an agent that leaves memory and does not continue after the
 * answer.
 */
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { SessionEvent } from '../../src/protocol/schema/event.ts';
import type { JsonObject } from '../../src/protocol/json.ts';
import { must } from './support/api.ts';
import { AT_ONCE_MS, alarmOf, countWakes, evict } from './support/objects.ts';
import { type TestSession, answer, createSession, logOf, sessionStub } from './support/session.ts';
import { connect } from './support/socket.ts';
import { until } from './support/until.ts';
import { inLongRun } from '../support/run-length.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

async function agentSession(settings: JsonObject = {}): Promise<TestSession> {
  return createSession({ agent: {}, ...settings });
}

async function say(session: TestSession, text: string): Promise<void> {
  await must('POST', `${session.path}/messages`, { body: { text } });
}

async function has(session: TestSession, type: SessionEvent['type'], count = 1): Promise<void> {
  await until(async () => {
    const events = await logOf(session);
    return events.filter((event) => event.type === type).length >= count;
  });
}

/** The scene of this word, up to the question that it asks. */
async function parked(word: string): Promise<{ session: TestSession; interactionId: string }> {
  const session = await agentSession();
  await say(session, word);
  await has(session, 'interaction_request');
  const { interactions } = await must('GET', `${session.path}/interactions?status=open`);
  return { session, interactionId: interactions?.[0]?.interactionId ?? '' };
}

const lastText = async (session: TestSession) =>
  (await logOf(session)).findLast((event) => event.type === 'assistant_text')?.payload.text;

describe('an agent that waits for a person', () => {
  it('[RUN-3, INT-9] leaves memory at once, and the answer continues its turn', async () => {
    const { session, interactionId } = await parked('write');
    expect(await evict(sessionStub(session))).toBeLessThan(AT_ONCE_MS);
    expect((await answer(session, interactionId)).status).toBe(200);
    await has(session, 'turn_ended');
    expect(await lastText(session)).toContain('Done. The tool reported');
    const asked = (await logOf(session)).filter(({ type }) => type === 'interaction_request');
    expect(asked).toHaveLength(1);
  });

  inLongRun(() => {
    it('[RUN-3] leaves again after each answer but the last', async () => {
      const session = await agentSession();
      await say(session, 'parallel');
      await has(session, 'interaction_request', 2);
      const { interactions = [] } = await must('GET', `${session.path}/interactions?status=open`);
      for (const { interactionId } of interactions) {
        expect(await evict(sessionStub(session))).toBeLessThan(AT_ONCE_MS);
        await answer(session, interactionId);
      }
      await has(session, 'turn_ended');
      expect(await lastText(session)).toContain('Both came back together');
    });
  });

  inLongRun(() => {
    it('[RUN-3, INT-9] is woken 0 times, and has an alarm for its deadline alone', async () => {
      const { session, interactionId } = await parked('questions');
      const { interaction } = await must('GET', `${session.path}/interactions/${interactionId}`);
      await until(async () => (await alarmOf(session)) === (interaction?.expiresAt ?? null));
      const socket = await connect(session);
      await socket.next('welcome');
      await evict(sessionStub(session));
      const wakes = countWakes(session);
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
      for (let minute = 0; minute < 9; minute += 1) {
        vi.advanceTimersByTime(60_000);
        socket.send('ping');
        while ((await socket.nextText()) !== 'pong');
      }
      expect(wakes()).toBe(0);
      vi.useRealTimers();
      await answer(session, interactionId, { answers: { '0': 'SQLite', '1': ['Tests'] } });
      await socket.heard(({ type }) => type === 'turn_ended');
      expect(wakes()).toBe(1);
      socket.close();
    });
  });
});

describe('a streamed answer', () => {
  it('[LOG-5] arrives on a socket in pieces, and is in the log once, as a whole', async () => {
    const session = await agentSession();
    const socket = await connect(session);
    await say(session, 'hello');
    let heard = '';
    while (heard.length < 300) heard += (await socket.next('delta')).text;
    expect((await logOf(session)).some(({ type }) => type === 'assistant_text')).toBe(false);
    await socket.heard(({ type }) => type === 'turn_ended');
    const texts = socket.events.filter(({ type }) => type === 'assistant_text');
    expect(texts).toHaveLength(1);
    expect(await lastText(session)).toContain(heard.slice(0, 300));
    expect((await logOf(session)).map(({ seq }) => seq)).toEqual(
      (await logOf(session)).map((_, place) => place + 1),
    );
    socket.close();
  });

  inLongRun(() => {
    it('[LOG-5] is not replayed to a later subscriber', async () => {
      const session = await agentSession();
      await say(session, 'hello');
      await has(session, 'turn_ended');
      const late = await connect(session, { after: 0 });
      await late.heard(({ type }) => type === 'turn_ended');
      const frames: string[] = [];
      late.send('ping');
      for (let text = await late.nextText(); text !== 'pong'; text = await late.nextText()) {
        frames.push(text);
      }
      expect(frames.filter((text) => text.includes('"delta"'))).toEqual([]);
      late.close();
    });
  });
});
