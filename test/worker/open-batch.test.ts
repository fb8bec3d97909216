/**
 * Several openings in one request. A bug would look like an agent that waits for all of its calls and gets one, or that
 * receives the outcome of one call for another.
 */
import { describe, expect, it } from 'vitest';
import { type Ask, call } from './support/api.ts';
import { costOf } from './support/costs.ts';
import { attachments } from './support/objects.ts';
import {
  type TestSession,
  answer,
  approval,
  createSession,
  logOf,
  question,
} from './support/session.ts';
import { until } from './support/until.ts';
import type { JsonObject } from '../../src/protocol/json.ts';
import type { InteractionView } from '../../src/protocol/schema/interaction.ts';

interface Result {
  readonly ok: boolean;
  readonly interaction?: InteractionView;
  readonly decision?: JsonObject;
  readonly error?: { readonly code: string };
}

async function batch(session: TestSession, requests: readonly JsonObject[], ask: Ask = {}) {
  const path = `${session.path}/interactions/batch`;
  const reply = await call('POST', path, { body: { requests: [...requests] }, ...ask });
  const { results, settled } = reply.body as unknown as { results: Result[]; settled?: boolean };
  return { reply, results, settled };
}

const many = (count: number) => Array.from({ length: count }, () => approval());
const waiting = { headers: { Prefer: 'wait=55' } };

describe('a batch', () => {
  it('[INT-20] of 64 requests writes one row', async () => {
    const session = await createSession();
    const before = (await logOf(session)).length;
    const cost = await costOf(session, () => batch(session, many(64)));
    expect(cost).toMatchObject({ session: 1, sessionAlarm: 1 });
    expect((await logOf(session)).length - before).toBe(128);
  });

  it('[INT-20, GATE-4] has one result for each request, and rules and refusals among them', async () => {
    const session = await createSession({ permissionMode: 'plan' });
    const { reply, results } = await batch(session, [
      question(),
      approval({ toolName: 'Read' }),
      { kind: 'approval' },
      approval(),
    ]);
    expect(reply.status).toBe(200);
    expect(results).toMatchObject([
      { ok: true, interaction: { status: 'open', kind: 'question' } },
      { ok: true, decision: { behavior: 'allow' } },
      { ok: false, error: { code: 'invalid_request' } },
      { ok: true, decision: { behavior: 'deny' } },
    ]);
  });

  it('[INT-20, API-2] repeated under its key asks nothing anew', async () => {
    const session = await createSession();
    const requests = many(3);
    const headers = { 'Idempotency-Key': 'batch-key-0001' };
    const first = await batch(session, requests, { headers });
    const log = await logOf(session);
    const second = await batch(session, requests, { headers });
    expect(second.reply.headers.get('Idempotency-Replayed')).toBe('true');
    expect(second.results).toEqual(first.results);
    expect(await logOf(session)).toEqual(log);
  });

  it('[INT-20, API-3] with a wait answers when all are settled, in whatever order', async () => {
    const session = await createSession();
    const requests = many(3).map((one, index) => ({ ...one, toolCallId: `call-${index}` }));
    const outcomes = batch(session, requests, waiting);
    await until(async () => (await attachments(session)).length === 1);
    for (const index of [2, 0, 1]) {
      await answer(session, `call-${index}~1`, { decision: index === 0 ? 'deny' : 'approve' });
    }
    const { results, settled } = await outcomes;
    expect(settled).toBe(true);
    expect(results.map(({ interaction }) => interaction)).toMatchObject([
      { interactionId: 'call-0~1', outcome: 'denied', deliveredAt: expect.any(Number) },
      { interactionId: 'call-1~1', outcome: 'approved', deliveredAt: expect.any(Number) },
      { interactionId: 'call-2~1', outcome: 'approved', deliveredAt: expect.any(Number) },
    ]);
    await until(async () => (await attachments(session)).length === 0);
  });

  it('[INT-20, API-3] whose time is up shows what is settled and what is not', async () => {
    const session = await createSession();
    const requests = [approval({ toolCallId: 'call-a' }), approval({ toolCallId: 'call-b' })];
    const outcomes = batch(session, [...requests, { kind: 'none' }], {
      headers: { Prefer: 'wait=2' },
    });
    await until(async () => (await attachments(session)).length === 1);
    await answer(session, 'call-b~1', { decision: 'approve' });
    const { results, settled } = await outcomes;
    expect(settled).toBe(false);
    expect(results).toMatchObject([
      { interaction: { status: 'open' } },
      { interaction: { outcome: 'approved' } },
      { ok: false },
    ]);
  });

  it('[INT-20, API-3] in which nothing is open does not wait', async () => {
    const session = await createSession({ permissionMode: 'plan' });
    const { settled } = await batch(session, [approval({ toolName: 'Read' })], waiting);
    expect(settled).toBe(true);
  });

  it('[INT-20, LIM-1] is refused whole without requests, with too many, or in a session that is none', async () => {
    const session = await createSession();
    for (const requests of [[], many(65)]) {
      expect((await batch(session, requests)).reply.status).toBe(400);
    }
    const missing = { id: 'none', path: '/v1/sessions/no-such-session' };
    expect((await batch(missing, many(1))).reply.status).toBe(404);
    expect(await logOf(session)).toHaveLength(1);
  });
});
