/**
 * The short forms as routes, under `/v1` and under the path of older clients: which bodies each route refuses before
 * the session decides, and with which sentence.
 *
 * A bug here looks like an older client that shows its user a sentence about a pattern, or like two paths that accept
 * different bodies.
 */
import { describe, expect, it } from 'vitest';
import { createApp } from '../../src/http/app.ts';
import type { SessionStub } from '../../src/http/stubs.ts';
import type { Json, JsonObject } from '../../src/protocol/json.ts';
import { ErrorBody } from '../../src/protocol/schema/rejection.ts';
import { LIMITS } from '../../src/protocol/limits.ts';
import { askApproval, askQuestion } from '../support/asks.ts';
import { worldAfter } from '../support/core-world.ts';
import { fakePorts, GOOD, sessionPorts } from '../support/http/fake-ports.ts';
import { requestTo } from '../support/http/request-to.ts';

/** A session in which `call-1` is a question and `call-2` an approval. */
function app(request: JsonObject = {}) {
  const session = worldAfter(askQuestion(), askApproval({ toolCallId: 'call-2' }, request));
  const handle: SessionStub['handle'] = async (command, { caller }) => {
    const decided = session.run(command, { caller });
    return decided.ok ? { ok: true, json: '{}', isNew: false, replayed: false } : decided;
  };
  return { session, app: createApp(fakePorts(sessionPorts(() => ({ handle })))) };
}

async function post(path: string, body: Json | string, request: JsonObject = {}) {
  const { app: served, session } = app(request);
  const response = await served.fetch(
    requestTo(path, {
      method: 'POST',
      headers: GOOD,
      body: typeof body === 'string' ? body : JSON.stringify(body),
    }),
  );
  const json: unknown = await response.json();
  const error = response.ok ? undefined : ErrorBody.parse(json).error;
  const { decision } = session.record('call-2~1');
  return { status: response.status, json, error, open: session.live.open.size, decision };
}

const ANSWERS = 'toolCallId and answers are required';
const CALL = 'toolCallId is required';
const answers = { '0': 'Red' };

const MISSING: readonly [string, string, Json][] = [
  ...[{}, { toolCallId: 'call-1' }, { answers }, { toolCallId: '', answers }].map(
    (body): [string, string, Json] => ['submit-answers', ANSWERS, body],
  ),
  ...[
    { toolCallId: ' \t', answers },
    { toolCallId: null, answers },
    { toolCallId: 'call-1', answers: null },
    { toolCallId: 'call-1', answers: '' },
    [],
    'call-1',
    null,
    7,
  ].map((body): [string, string, Json] => [
    'submit-answers',
    ANSWERS,
    JSON.parse(JSON.stringify(body)),
  ]),
  ...['approve', 'deny'].flatMap((name) =>
    [{}, { toolCallId: '' }, { toolCallId: '  ' }, { toolCallId: null }, [], null, true].map(
      (body): [string, string, Json] => [name, CALL, body],
    ),
  ),
  ['deny', CALL, { reason: 'no' }],
];

const WRONG: readonly [string, string, Json][] = [
  ['submit-answers', 'toolCallId', { toolCallId: 'a b', answers }],
  ['submit-answers', 'toolCallId', { toolCallId: 7, answers }],
  ['submit-answers', 'answers', { toolCallId: 'call-1', answers: ['Red'] }],
  ['submit-answers', 'answers', { toolCallId: 'call-1', answers: 'Red' }],
  ['submit-answers', 'inputDigest', { toolCallId: 'call-1', answers, inputDigest: 7 }],
  ['submit-answers', 'why', { toolCallId: 'call-1', answers, why: 'so' }],
  ['approve', 'toolCallId', { toolCallId: 'x'.repeat(129) }],
  ['approve', 'toolCallId', { toolCallId: ['call-2'] }],
  ['approve', 'reason', { toolCallId: 'call-2', reason: 'yes' }],
  ['approve', 'inputDigest', { toolCallId: 'call-2', inputDigest: '' }],
  ['deny', 'toolCallId', { toolCallId: {} }],
  ['deny', 'reason', { toolCallId: 'call-2', reason: 7 }],
  ['deny', 'reason', { toolCallId: 'call-2', reason: 'x'.repeat(LIMITS.reasonChars + 1) }],
  ['deny', 'inputDigest', { toolCallId: 'call-2', inputDigest: null }],
];

describe.each(['/v1', '/api'])('%s', (prefix) => {
  const at = (name: string) => `${prefix}/sessions/one/${name}`;

  it.each(MISSING)('[API-1] %s says %j of %j', async (name, sentence, body) => {
    const { status, error, open } = await post(at(name), JSON.stringify(body));
    expect([status, error?.code, error?.message]).toEqual([400, 'invalid_request', sentence]);
    expect(open).toBe(2);
  });

  it.each(WRONG)('[API-1, LIM-1] %s names %s where it does not fit', async (name, field, body) => {
    const { status, error, open } = await post(at(name), body);
    expect([status, error?.code]).toEqual([400, 'invalid_request']);
    expect(error?.message).toContain(field);
    expect(open).toBe(2);
  });

  it.each(['submit-answers', 'approve', 'deny'])(
    '[API-1, LIM-1] %s refuses a body that is not JSON',
    async (name) => {
      for (const body of [
        '',
        'toolCallId=call-1',
        '{"toolCallId":',
        '{"toolCallId":"a","toolCallId":"a"}',
      ]) {
        const { status, error, open } = await post(at(name), body);
        expect([status, error?.code, open]).toEqual([400, 'invalid_json', 2]);
      }
    },
  );

  it.each([
    ['nothing', {}, '0'],
    ['a blank', { '0': ' ' }, '0'],
    ['a question that is none', { '0': 'Red', '1': 'S' }, '1'],
    ['a number', { '0': 7 }, '0'],
  ])('[API-1, QST-3] submit-answers refuses %s as an answer', async (_name, given, key) => {
    const body = { toolCallId: 'call-1', answers: given };
    const { status, error, open } = await post(at('submit-answers'), body);
    expect([status, error?.code, open]).toEqual([400, 'invalid_answer', 2]);
    expect(error?.message).toContain(`answers.${key}`);
  });

  it('[API-1] says that no such tool call waits, in the sentence of the form', async () => {
    const asked: readonly [string, Json, string][] = [
      ['submit-answers', { toolCallId: 'call-2', answers }, 'No pending question'],
      ['submit-answers', { toolCallId: 'call-9', answers }, 'No pending question'],
      ['approve', { toolCallId: 'call-1' }, 'No pending approval'],
      ['deny', { toolCallId: 'call-9' }, 'No pending approval'],
    ];
    for (const [name, body, sentence] of asked) {
      const { status, error } = await post(at(name), body);
      expect([status, error?.message]).toEqual([404, sentence]);
    }
  });

  it('[API-1, INT-12] accepts the digest of the current input, and refuses another', async () => {
    const { session } = app();
    const { inputDigest } = session.record('call-2~1');
    const stale = await post(at('approve'), { toolCallId: 'call-2', inputDigest: 'f'.repeat(64) });
    expect([stale.status, stale.error?.code]).toEqual([409, 'input_changed']);
    expect(stale.error?.details).toEqual({ interactionId: 'call-2~1', inputDigest });
    const good = await post(at('approve'), { toolCallId: 'call-2', inputDigest });
    expect([good.status, good.json, good.open]).toEqual([200, { ok: true }, 1]);
    const plain = await post(at('submit-answers'), { toolCallId: 'call-1', answers });
    expect([plain.status, plain.json, plain.open]).toEqual([200, { ok: true }, 1]);
  });

  const choices = [
    { id: 'go', label: 'Go', decision: 'approve' },
    { id: 'never', label: 'Never', decision: 'deny' },
  ];

  it.each<[string, JsonObject, JsonObject]>([
    ['approve', { choice: 'go' }, { decision: 'approve', offer: 'once', choice: 'go' }],
    ['deny', { choice: 'never' }, { decision: 'deny', choice: 'never' }],
    ['deny', { stop: true }, { decision: 'deny', stop: true }],
    ['deny', { choice: 'never', stop: true }, { decision: 'deny', choice: 'never', stop: true }],
  ])('[API-1, APR-6, APR-7] %s takes %j', async (name, given, decision) => {
    const result = await post(at(name), { toolCallId: 'call-2', ...given }, { choices });
    expect([result.status, result.decision]).toEqual([200, decision]);
  });

  it.each<[string, JsonObject, string]>([
    ['approve', { choice: 'never' }, 'not_offered'],
    ['deny', { choice: 'go' }, 'not_offered'],
    ['approve', {}, 'not_offered'],
    ['approve', { choice: 'other' }, 'not_offered'],
    ['deny', { choice: 'go', stop: true }, 'not_offered'],
    ['approve', { stop: true }, 'invalid_request'],
    ['deny', { stop: false }, 'invalid_request'],
    ['approve', { choice: 7 }, 'invalid_request'],
  ])('[API-1, APR-6] %s with %j is refused', async (name, given, code) => {
    const result = await post(at(name), { toolCallId: 'call-2', ...given }, { choices });
    expect([result.error?.code, result.open]).toEqual([code, 2]);
  });
});
