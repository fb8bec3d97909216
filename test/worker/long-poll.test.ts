/**
 * Waiting by request: `?wait=` on an interaction, `Prefer: wait` on opening one.
 *
 * A bug would look like an agent that receives "not yet" although a person has answered, receives the outcome
 * of another question, or hangs until its own timeout over a question that has ended.
 */
import { describe, expect, it } from 'vitest';
import { LIMITS } from '../../src/protocol/limits.ts';
import { type Reply, call } from './support/api.ts';
import { attachments } from './support/objects.ts';
import {
  type TestSession,
  answer,
  approval,
  createSession,
  open,
  question,
} from './support/session.ts';
import { connect } from './support/socket.ts';
import { until } from './support/until.ts';

function poll(session: TestSession, interactionId: string, seconds = 55): Promise<Reply> {
  return call('GET', `${session.path}/interactions/${interactionId}?wait=${seconds}`);
}

function waiting(session: TestSession, count: number): Promise<void> {
  return until(async () => (await attachments(session)).length === count);
}

describe('a poll', () => {
  it('[API-3, INT-8] waits for the outcome and returns it as settled', async () => {
    const session = await createSession();
    const { interactionId } = await open(session);
    const outcome = poll(session, interactionId);
    await waiting(session, 1);
    await answer(session, interactionId, { decision: 'deny', reason: 'Not today' });
    expect(await outcome).toMatchObject({
      status: 200,
      body: {
        settled: true,
        interaction: {
          outcome: 'denied',
          reply: { behavior: 'deny', message: 'User denied tool execution. Reason: Not today' },
        },
      },
    });
    await waiting(session, 0);
  });

  it('[API-3] that ends without an outcome returns the open interaction', async () => {
    const session = await createSession();
    const { interactionId } = await open(session);
    const { status, body } = await poll(session, interactionId, 1);
    expect({ status, settled: body.settled }).toEqual({ status: 200, settled: false });
    expect(body.interaction).toMatchObject({ interactionId, status: 'open' });
    await waiting(session, 0);
  });

  it('[API-3] waits 55 seconds at most, whatever was asked for', async () => {
    const session = await createSession();
    const { interactionId } = await open(session);
    const wanted = [55, 56, 3_600, 999_999_999_999_999];
    const polls = wanted.map((seconds) => poll(session, interactionId, seconds));
    await waiting(session, polls.length);
    for (const attachment of await attachments(session)) {
      const left = attachment.role === 'waiter' ? attachment.until - Date.now() : 0;
      expect(left).toBeLessThanOrEqual(LIMITS.waitSeconds * 1_000);
    }
    await answer(session, interactionId);
    for (const reply of await Promise.all(polls)) expect(reply.body.settled).toBe(true);
  });

  it('[API-3] with a wait that is no number of seconds is 400', async () => {
    const session = await createSession();
    const { interactionId } = await open(session);
    for (const wait of ['-1', '1.5', 'x', '', '1e3']) {
      const path = `${session.path}/interactions/${interactionId}?wait=${wait}`;
      expect((await call('GET', path)).status).toBe(400);
    }
    const none = await call('GET', `${session.path}/interactions/${interactionId}?wait=0`);
    expect(none.body.settled).toBe(false);
  });

  it('[INT-8] that starts after the answer receives it at once', async () => {
    const session = await createSession();
    const { interactionId } = await open(session);
    await answer(session, interactionId);
    const { body } = await poll(session, interactionId);
    expect(body).toMatchObject({ settled: true, interaction: { outcome: 'approved' } });
    expect(await attachments(session)).toHaveLength(0);
  });

  it('[INT-8] does not miss an answer that arrives at the moment it starts', async () => {
    const session = await createSession();
    const asked = await Promise.all(Array.from({ length: 40 }, () => open(session)));
    const outcomes = await Promise.all(
      asked.map(async ({ interactionId }, index) => {
        const ask = () => poll(session, interactionId);
        const give = () => answer(session, interactionId);
        const { outcome, given } =
          index % 2 === 0 ? { outcome: ask(), given: give() } : { given: give(), outcome: ask() };
        expect((await given).status).toBe(200);
        return (await outcome).body.settled;
      }),
    );
    expect(outcomes).toEqual(asked.map(() => true));
  });

  it('[INT-14] for a replaced question receives "superseded" and the replacement', async () => {
    const session = await createSession();
    const toolCallId = 'call-reprompted';
    const { interactionId } = await open(session, question({ toolCallId }));
    const outcome = poll(session, interactionId);
    await waiting(session, 1);
    const second = await open(session, question({ toolCallId, errorSummary: 'Not that one' }));
    expect((await outcome).body).toMatchObject({
      settled: true,
      interaction: { outcome: 'superseded', replacedBy: second.interactionId },
    });
    await answer(session, second.interactionId, { answers: { 0: 'Red' } });
    const late = await poll(session, interactionId);
    expect(late.body.interaction?.outcome).toBe('superseded');
  });

  it('[INT-7, AUTH-2] for an unknown interaction is 404 at once', async () => {
    const session = await createSession();
    await open(session);
    expect((await poll(session, 'never~1')).status).toBe(404);
    expect((await poll(session, 'not-an-id')).status).toBe(404);
    expect((await poll({ id: 'none', path: '/v1/sessions/none' }, 'never~1')).status).toBe(404);
    expect(await attachments(session)).toHaveLength(0);
  });

  it('[TIME-2, INT-8] receives the expiry', async () => {
    const session = await createSession();
    const { interactionId } = await open(session, approval({ timeoutSeconds: 1 }));
    expect((await poll(session, interactionId)).body).toMatchObject({
      settled: true,
      interaction: {
        outcome: 'expired',
        settledBy: { subject: 'system', via: 'timeout' },
        reply: { behavior: 'deny', message: 'Tool approval timed out after 1 second' },
      },
    });
  });

  it('[LOG-9, CAN-1] receives the cancel when its session is deleted', async () => {
    const session = await createSession();
    const { interactionId } = await open(session);
    const outcome = poll(session, interactionId);
    await waiting(session, 1);
    await call('DELETE', session.path);
    expect((await outcome).body.interaction?.outcome).toBe('cancelled');
  });
});

describe('several polls', () => {
  it('[INT-8] for several interactions each receive their own outcome', async () => {
    const session = await createSession();
    const asked = await Promise.all(Array.from({ length: 8 }, () => open(session)));
    const polls = asked.flatMap(({ interactionId }) =>
      [1, 2, 3].map(async () => ({
        interactionId,
        reply: await poll(session, interactionId),
      })),
    );
    await waiting(session, polls.length);
    await Promise.all(
      asked.map(({ interactionId }) =>
        answer(session, interactionId, { decision: 'deny', reason: interactionId }),
      ),
    );
    for (const { interactionId, reply } of await Promise.all(polls)) {
      expect(reply.body.interaction).toMatchObject({ interactionId, reason: interactionId });
    }
    await waiting(session, 0);
  });

  it('[WS-4, LIM-2] are counted apart from sockets', async () => {
    const session = await createSession();
    const { interactionId } = await open(session);
    const outcomes = Array.from({ length: 20 }, () => poll(session, interactionId));
    await waiting(session, 20);
    const socket = await connect(session);
    await socket.next('welcome');
    socket.close();
    await answer(session, interactionId);
    expect((await Promise.all(outcomes)).every((reply) => reply.body.settled)).toBe(true);
  });
});

describe('an opening that waits', () => {
  function openAndWait(session: TestSession, body: object, prefer: string): Promise<Reply> {
    const headers = { Prefer: prefer, 'Idempotency-Key': 'opening-that-waits' };
    return call('POST', `${session.path}/interactions`, { body, headers });
  }

  it('[API-3, API-2] waits again when it is repeated, and repeats the outcome afterwards', async () => {
    const session = await createSession();
    const body = approval({ toolCallId: 'call-repeated' });
    const first = await openAndWait(session, body, 'wait=1');
    expect(first).toMatchObject({ status: 201, body: { settled: false } });
    const second = openAndWait(session, body, 'respond-async, wait=30');
    await waiting(session, 1);
    await answer(session, 'call-repeated~1');
    const replayed = await second;
    expect(replayed).toMatchObject({ status: 201, body: { settled: true } });
    expect(replayed.headers.get('Idempotency-Replayed')).toBe('true');
    const third = await openAndWait(session, body, 'wait=30');
    expect(third.body).toMatchObject({ settled: true, interaction: { outcome: 'approved' } });
  });

  it.each([
    ['a few', 'ls'],
    ['twenty thousand', 'x'.repeat(20_000)],
    ['two hundred thousand', 'x'.repeat(200_000)],
    ['as many of three bytes as a body holds', '\u6f22'.repeat(80_000)],
  ])('[INT-8] receives the outcome of an input of %s characters', async (_, command) => {
    const session = await createSession();
    const body = approval({ toolCallId: 'call-long', input: { command } });
    const outcome = openAndWait(session, body, 'wait=30');
    await waiting(session, 1);
    await answer(session, 'call-long~1');
    expect(await outcome).toMatchObject({
      status: 201,
      body: { settled: true, interaction: { outcome: 'approved', updatedInput: { command } } },
    });
  });

  it('[GATE-4] does not wait for a decision of the mode', async () => {
    const session = await createSession({ permissionMode: 'acceptEdits' });
    const reply = await openAndWait(session, approval({ toolName: 'Read' }), 'wait=30');
    expect(reply).toMatchObject({ status: 200, body: { decision: { behavior: 'allow' } } });
  });
});
