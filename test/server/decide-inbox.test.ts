/** A bug here looks like one refused answer that stops forty others, or like an answer that counts although it may not. */
import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../src/protocol/json.ts';
import { LIMITS } from '../../src/protocol/limits.ts';
import { ask, expectRefused, send } from '../support/http/call.ts';
import { keyWith, personToken, sessionToken, sign } from '../support/http/credentials.ts';
import { startRoutes } from '../support/http/local-app.ts';

const server = await startRoutes();
const PATH = '/v1/inbox/decide';
const agent = await keyWith('agent');
const person = await personToken('read', 'answer');

interface Result {
  readonly ok: boolean;
  readonly interaction?: JsonObject;
  readonly error?: { readonly code: string };
}

async function opens(session: string, more: JsonObject = {}): Promise<JsonObject> {
  await send(server, { method: 'POST', path: '/v1/sessions', json: { id: session } });
  const path = `/v1/sessions/${session}/interactions`;
  const json = { kind: 'approval', toolName: 'Bash', input: { command: 'ls' }, ...more };
  const call = { toolCallId: `call-${Math.random().toString(36).slice(2)}`, ...json };
  const { interaction } = await ask(server, { method: 'POST', path, token: agent, json: call });
  const { interactionId, inputDigest } = interaction as JsonObject;
  return { sessionId: session, interactionId, inputDigest } as JsonObject;
}

const approve = ({ inputDigest, ...at }: JsonObject, more: JsonObject = {}): JsonObject => ({
  ...at,
  answer: { decision: 'approve', inputDigest: inputDigest as Json },
  ...more,
});

async function decide(
  decisions: readonly JsonObject[],
  how: { token?: string; headers?: Record<string, string> } = {},
): Promise<Result[]> {
  const json = { decisions: decisions as JsonObject[] };
  const reply = await ask(server, { method: 'POST', path: PATH, token: person, json, ...how });
  return reply.results as unknown as Result[];
}

const codes = (results: readonly Result[]) =>
  results.map(({ ok, interaction, error }) => (ok ? interaction?.outcome : error?.code));

describe('[BOX-3] answers in several sessions', () => {
  it('are given in as many sessions as there are, with a result each, in their order', async () => {
    const asked = await Promise.all(Array.from({ length: 64 }, (_, n) => opens(`many-${n}`)));
    const results = await decide(asked.map((one) => approve(one)));
    expect(codes(results)).toEqual(asked.map(() => 'approved'));
    expect(results.map(({ interaction }) => interaction?.interactionId)).toEqual(
      asked.map(({ interactionId }) => interactionId),
    );
  });

  it('are judged by their session, and a refused one stops none of the others', async () => {
    const [one, changed, taken, last] = [
      await opens('each-1'),
      await opens('each-2'),
      await opens('each-3'),
      await opens('each-3'),
    ];
    const forBob = await opens('each-4', { audience: { subjects: ['bob'] } });
    await decide([approve(taken)], { token: await sign({ scopes: ['answer'], subject: 'eve' }) });
    const results = await decide([
      approve(one),
      approve({ ...changed, inputDigest: 'another input' }),
      approve(taken),
      approve(last),
      approve(forBob),
      approve({ ...one, sessionId: 'no-such-session' }),
      approve({ ...one, interactionId: 'no-such-call~1' }),
      { ...approve(one), answer: { decision: 'perhaps' } },
    ]);
    expect(codes(results)).toEqual([
      'approved',
      'input_changed',
      'already_settled',
      'approved',
      'forbidden',
      'not_found',
      'not_found',
      'already_settled',
    ]);
  });

  it('of one session are given in their order', async () => {
    const first = await opens('order');
    const deny = { ...approve(first), answer: { decision: 'deny' } };
    expect(codes(await decide([approve(first), deny]))).toEqual(['approved', 'already_settled']);
  });

  it('have a key each: a repeat gets its first result, in another batch too', async () => {
    const [one, two] = [await opens('keys-1'), await opens('keys-2')];
    const keyed = approve(one, { idempotencyKey: 'key-of-the-first' });
    expect(codes(await decide([keyed]))).toEqual(['approved']);
    expect(codes(await decide([approve(two), keyed]))).toEqual(['approved', 'approved']);
    const other = { ...keyed, answer: { decision: 'deny' } };
    expect(codes(await decide([other]))).toEqual(['idempotency_key_reused']);
  });

  it('without keys of their own share the key of the request', async () => {
    const [one, two] = [await opens('shared-1'), await opens('shared-1')];
    const how = { headers: { 'Idempotency-Key': 'key-of-the-batch' } };
    const batch = [approve(one), approve(two)];
    expect(codes(await decide(batch, how))).toEqual(['approved', 'approved']);
    expect(codes(await decide(batch, how))).toEqual(['approved', 'approved']);
    expect(codes(await decide(batch))).toEqual(['already_settled', 'already_settled']);
  });

  it('of an agent to its own request are refused, as by themselves [AUTH-8]', async () => {
    const own = await opens('own');
    const both = await sign({ scopes: ['agent', 'answer'], id: 'key_both' });
    const path = '/v1/sessions/own/interactions';
    const json = { kind: 'approval', toolCallId: 'mine', toolName: 'Bash', input: {} };
    const { interaction } = await ask(server, { method: 'POST', path, token: both, json });
    const mine = interaction as JsonObject;
    const results = await decide(
      [
        approve({
          sessionId: 'own',
          interactionId: mine.interactionId as Json,
          inputDigest: mine.inputDigest as Json,
        }),
        approve(own),
      ],
      { token: both },
    );
    expect(codes(results)).toEqual(['forbidden', 'approved']);
  });

  it('need the scope, and a credential for the whole workspace', async () => {
    const json = { decisions: [approve(await opens('scope'))] };
    for (const token of [
      await personToken('read', 'send'),
      await keyWith('agent'),
      await sessionToken('scope', 'answer'),
    ]) {
      expectRefused(await send(server, { method: 'POST', path: PATH, token, json }), 'forbidden');
    }
    // A key of another workspace finds no such session there.
    const stranger = await sign({ scopes: ['answer'], workspace: 'elsewhere' });
    expect(codes(await decide(json.decisions, { token: stranger }))).toEqual(['not_found']);
  });

  it('are refused whole where they are too many or malformed', async () => {
    const one = approve({ sessionId: 's', interactionId: 'a~1', inputDigest: 'd' });
    const many = Array.from({ length: LIMITS.decisionsPerBatch + 1 }, () => one);
    const wrong = [[], many, [{ ...one, inputDigest: 'd' }], [{ ...one, idempotencyKey: 'short' }]];
    for (const decisions of wrong) {
      const json = { decisions } as unknown as JsonObject;
      const reply = await send(server, { method: 'POST', path: PATH, token: person, json });
      expectRefused(reply, 'invalid_request');
    }
  });
});

describe('[BOX-4] the decisions of everyone', () => {
  it('need an administrator; one’s own need only `read`', async () => {
    const [ada, bo] = [
      await sign({ kind: 'person', subject: 'Ada', scopes: ['read', 'answer'], mintedBy: ['k'] }),
      await sign({ kind: 'person', subject: 'Bo', scopes: ['read', 'answer'], mintedBy: ['k'] }),
    ];
    await decide([approve(await opens('of-ada'))], { token: ada });
    const list = async (token: string, query = '') =>
      JSON.stringify(await ask(server, { method: 'GET', path: `/v1/decisions${query}`, token }));
    expect(await list(ada)).toContain('of-ada');
    expect(await list(bo)).not.toContain('of-ada');
    const path = '/v1/decisions?of=everyone';
    expectRefused(await send(server, { method: 'GET', path, token: ada }), 'forbidden');
    expect(JSON.stringify(await ask(server, { method: 'GET', path }))).toContain('of-ada');
  });
});
