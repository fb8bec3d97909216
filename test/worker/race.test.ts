/**
 * Concurrent decisions: one wins, and every other caller receives who won, how and when.
 *
 * A bug would look like two requests with 200 for one interaction, a loser that receives another outcome than
 * the recorded one, or two endings in the log.
 */
import { describe, expect, it } from 'vitest';
import type { EventOf, SessionEvent } from '../../src/protocol/schema/event.ts';
import { countFor } from '../support/run-length.ts';
import { type Reply, call, must } from './support/api.ts';
import {
  type TestSession,
  answer,
  approval,
  createSession,
  logOf,
  open,
} from './support/session.ts';

const ROUNDS = countFor({ quick: 2, long: 200 });
const ROUNDS_A_SESSION = countFor({ quick: 2, long: 50 });
/** Another rival begins each round. On a busy machine it need not win, so six rounds may see three endings only. */
const ROUNDS_OF_RIVALS = countFor({ quick: 18, long: 60 });
const AT_ONCE = 64;
const PEOPLE = 8;

/** Tokens of eight people, so that a reply with the wrong winner fails the test. */
async function people(): Promise<string[]> {
  const tokens: string[] = [];
  for (let person = 0; person < PEOPLE; person += 1) {
    const body = { scopes: ['answer', 'read'], subject: `person ${person}` };
    tokens.push((await must('POST', '/v1/tokens', { body })).token ?? '');
  }
  return tokens;
}

function pick<Item>(items: readonly Item[], index: number): Item {
  return items[index % items.length] as Item;
}

function different(number: number) {
  if (number % 2 === 0) return { decision: 'approve', reason: `Yes ${number}` };
  return { decision: 'deny', reason: `No ${number}` };
}

function responsesIn(events: readonly SessionEvent[]): EventOf<'interaction_response'>[] {
  return events.filter((event) => event.type === 'interaction_response');
}

describe('64 different answers at once', () => {
  it(`[INT-6, INT-7] one wins and 63 receive the recorded outcome, ${ROUNDS} times`, {
    timeout: 120_000,
  }, async () => {
    const tokens = await people();
    let won = 0;
    let lost = 0;
    const winners = new Set<number>();
    for (let round = 0; round < ROUNDS; round += ROUNDS_A_SESSION) {
      const session = await createSession();
      for (let each = 0; each < ROUNDS_A_SESSION; each += 1) {
        const { interactionId } = await open(session);
        const replies = await Promise.all(
          Array.from({ length: AT_ONCE }, (_, number) => {
            // Another one sends first every time.
            const sender = (number + round + each) % AT_ONCE;
            const token = pick(tokens, sender);
            return answer(session, interactionId, different(sender), { token });
          }),
        );
        const { winner, losers } = split(replies);
        won += 1;
        lost += losers.length;
        winners.add(replies.indexOf(winner));
        const recorded = winner.body.interaction;
        expect(losers).toHaveLength(AT_ONCE - 1);
        for (const { status, body } of losers) {
          expect(status).toBe(409);
          expect(body.error).toMatchObject({
            code: 'already_settled',
            details: {
              outcome: recorded?.outcome,
              settledBy: recorded?.settledBy,
              settledAt: recorded?.settledAt,
            },
          });
        }
        const path = `${session.path}/interactions/${interactionId}`;
        const { interaction } = await must('GET', path);
        expect(interaction).toMatchObject({
          outcome: recorded?.outcome,
          reason: recorded?.reason,
          settledBy: recorded?.settledBy,
        });
      }
      const events = await logOf(session);
      expect(responsesIn(events)).toHaveLength(ROUNDS_A_SESSION);
      const ended = events.filter((event) => isPending(event, false));
      expect(ended).toHaveLength(ROUNDS_A_SESSION);
    }
    console.log(`${ROUNDS} races: ${won} × 200, ${lost} × 409, ${winners.size} places won`);
    expect({ won, lost }).toEqual({ won: ROUNDS, lost: ROUNDS * (AT_ONCE - 1) });
  });
});

function isPending(event: SessionEvent, pending: boolean): boolean {
  return event.type === 'interaction_pending' && event.payload.pending === pending;
}

function split(replies: readonly Reply[]): { winner: Reply; losers: Reply[] } {
  const winners = replies.filter((reply) => reply.status === 200);
  expect(winners).toHaveLength(1);
  return {
    winner: winners[0] as Reply,
    losers: replies.filter((reply) => reply.status !== 200),
  };
}

describe('answers, cancels and the result of the tool at once', () => {
  it('[INT-6, CAN-2, APR-5] exactly one of them ends it, whatever the order', {
    timeout: 60_000,
  }, async () => {
    const session = await createSession();
    const outcomes = new Map<string, number>();
    for (let round = 0; round < ROUNDS_OF_RIVALS; round += 1) {
      const { interactionId, toolCallId } = await open(session);
      const path = `${session.path}/interactions`;
      const rivals: (() => Promise<Reply>)[] = [
        () => answer(session, interactionId, { decision: 'approve' }),
        () => call('DELETE', `${path}/${interactionId}`, { body: { reason: 'Not needed' } }),
        () => call('POST', `${path}/cancel`, { body: {} }),
        () => toolResult(session, toolCallId),
        () => call('POST', `${session.path}/deny`, { body: { toolCallId } }),
        () => call('POST', `${session.path}/clear`),
      ];
      const replies = await Promise.all(rivals.map((_, index) => pick(rivals, round + index)()));
      for (const { status } of replies) expect([200, 201, 409]).toContain(status);
      const { interaction } = await must('GET', `${path}/${interactionId}`);
      const how = interaction?.reason ?? interaction?.outcome ?? '';
      outcomes.set(how, (outcomes.get(how) ?? 0) + 1);
    }
    const events = await logOf(session);
    const ended = responsesIn(events).map(({ payload }) => payload.interactionId);
    expect(ended).toHaveLength(ROUNDS_OF_RIVALS);
    expect(new Set(ended).size).toBe(ROUNDS_OF_RIVALS);
    for (const { seq } of responsesIn(events)) {
      expect(events[seq]).toMatchObject({
        type: 'interaction_pending',
        payload: { pending: false },
      });
    }
    console.log('How they ended:', Object.fromEntries(outcomes));
    expect(outcomes.size).toBeGreaterThan(3);
  });

  it('[INT-6, APR-4] a batch and single answers never settle the same one twice', async () => {
    const session = await createSession();
    const asked = await Promise.all(Array.from({ length: 20 }, () => open(session)));
    const decisions = asked.map(({ interactionId }) => ({
      interactionId,
      answer: { decision: 'approve' },
    }));
    const [first, second, ...singles] = await Promise.all([
      call('POST', `${session.path}/interactions/decide`, { body: { decisions } }),
      call('POST', `${session.path}/interactions/decide`, { body: { decisions } }),
      ...asked.map(({ interactionId }) => answer(session, interactionId, { decision: 'deny' })),
    ]);
    const wonInBatches = [first, second]
      .flatMap((reply) => reply?.body.results ?? [])
      .filter((result) => result.ok).length;
    const wonAlone = singles.filter((reply) => reply.status === 200).length;
    expect(wonInBatches + wonAlone).toBe(20);
    expect(responsesIn(await logOf(session))).toHaveLength(20);
  });

  it('[INT-5, INT-4] 32 openings of the same tool call at once are one interaction', async () => {
    const session = await createSession();
    const body = approval();
    const opened = await Promise.all(Array.from({ length: 32 }, () => open(session, body)));
    expect(new Set(opened.map((one) => one.interactionId)).size).toBe(1);
    const asked = (await logOf(session)).filter((event) => event.type === 'interaction_request');
    expect(asked).toHaveLength(1);
  });
});

function toolResult(session: TestSession, toolCallId: string): Promise<Reply> {
  const event = { type: 'tool_result', toolCallId, payload: { output: 'done' } };
  return call('POST', `${session.path}/events`, { body: { events: [event] } });
}
