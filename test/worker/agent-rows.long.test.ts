/**
 * The rows that a turn of the built-in agent writes, counted exactly.
 *
 * A bug would break nothing, and double the cost of each answer, because the session writes the run at every
 * piece of an answer, or the whole conversation at every step.
 */
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/protocol/json.ts';
import { freshName, must } from './support/api.ts';
import { type Cost, costOf, told, total } from './support/costs.ts';
import { keyOfWorkspace } from './support/credentials.ts';
import { type TestSession, answer, createSession, logOf } from './support/session.ts';
import { until } from './support/until.ts';

/** Of this file alone: sessions of other files report to theirs while this one counts. */
const workspace = freshName('agent-rows');
const place = { workspace, token: await keyOfWorkspace(workspace) };

async function begun(settings: JsonObject = {}): Promise<TestSession> {
  const session = await createSession({ agent: {}, ...settings }, place);
  await told(session);
  return session;
}

async function turn(session: TestSession, text: string, turns = 1): Promise<void> {
  await must('POST', `${session.path}/messages`, { token: place.token, body: { text } });
  await until(async () => {
    const ended = (await logOf(session)).filter(({ type }) => type === 'turn_ended');
    return ended.length >= turns;
  });
}

/** The demo model speaks at a reader's pace: on a machine that is slow, a turn outlasts its first lease. */
function expectAlarms({ sessionAlarm }: Cost, usual: number): void {
  expect(sessionAlarm).toBeLessThanOrEqual(usual + 2);
}

describe('a turn of text alone', () => {
  it('[RUN-1] is two commits, however long the answer', async () => {
    const session = await begun();
    const short = await costOf(session, () => turn(session, 'hello'));
    await told(session);
    const long = await costOf(session, () => turn(session, 'long', 2));
    console.log('A turn of text alone:', short, 'the second, with a long answer:', long);
    // Each with its row of the log, the run, one message, and the settings, which name the turn.
    const BOTH_COMMITS = 2 * 4;
    expect(short.session).toBe(BOTH_COMMITS);
    expect(long.session).toBe(BOTH_COMMITS);
    expectAlarms(short, 1);
    expectAlarms(long, 1);
  });
});

describe('a turn with a tool that a person allows', () => {
  it('[RUN-3] writes nothing while it waits', async () => {
    const session = await begun();
    const asked = await costOf(session, async () => {
      await must('POST', `${session.path}/messages`, {
        token: place.token,
        body: { text: 'write' },
      });
      await until(async () =>
        (await logOf(session)).some(({ type }) => type === 'interaction_request'),
      );
      await told(session);
    });
    const [request] = (await logOf(session)).filter(({ type }) => type === 'interaction_request');
    const interactionId =
      request?.type === 'interaction_request' ? request.payload.interactionId : '';
    const waiting = await costOf(session, async () => {
      await must('GET', session.path, { token: place.token });
      await new Promise((resolve) => setTimeout(resolve, 500));
    });
    const answered = await costOf(session, async () => {
      await answer(session, interactionId);
      await until(async () => (await logOf(session)).some(({ type }) => type === 'turn_ended'));
      await told(session);
    });
    console.log('A turn with a tool: asked', asked, 'answered', answered);
    expect(total(waiting)).toBe(0);
    // The beginning; then log with the question, run and message. The alarm of the work, moved to the deadline.
    expect(asked.session).toBe(4 + 3);
    expectAlarms(asked, 2);
    // Answer: log, run, record. Tool: log, run, message and the file. End: log, run, message, settings.
    expect(answered.session).toBe(3 + 4 + 4);
    expectAlarms(answered, 1);
  });
});
