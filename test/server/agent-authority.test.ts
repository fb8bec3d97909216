/**
 * An agent's credential tries every way to answer its own question, or to widen its rights.
 *
 * The service exists to separate asking from answering. A bug here looks like an approval that no person gave.
 */
import { expect, it } from 'vitest';
import type { Scope } from '../../src/protocol/schema/actor.ts';
import type { JsonObject } from '../../src/protocol/json.ts';
import { ask, expectRefused, send } from '../support/http/call.ts';
import { keyWith, sessionToken, sign } from '../support/http/credentials.ts';
import {
  readVisibleState,
  waitUntilListed,
  openSampleSession,
} from '../support/http/sample-session.ts';
import { startServer } from '../support/http/server.ts';
import { openSocket } from '../support/http/web-socket.ts';

const server = await startServer();
const agent = await keyWith('agent');
const readingAgent = await keyWith('agent', 'read');
const sample = await openSampleSession(server, { opener: agent });
await waitUntilListed(server, sample.session);
const before = await readVisibleState(server, sample);
const at = `/v1/sessions/${sample.session}`;
const { approval, question, plan, form } = sample.open;

const ANSWERS: readonly (readonly [path: string, body: JsonObject])[] = [
  [`${at}/interactions/${approval.id}/answer`, { decision: 'approve' }],
  [`${at}/interactions/${approval.id}/answer`, { decision: 'deny' }],
  [
    `${at}/interactions/${approval.id}/answer`,
    { decision: 'approve', offer: 'session', everyCommand: true },
  ],
  [`${at}/interactions/${question.id}/answer`, { answers: { '0': 'Red', '1': ['S'] } }],
  [`${at}/interactions/${question.id}/answer`, { question: 0, option: 0 }],
  [`${at}/interactions/${question.id}/answer`, { decline: true }],
  [`${at}/interactions/${plan.id}/answer`, { decision: 'edit' }],
  [`${at}/interactions/${form.id}/answer`, { values: { host: 'a', port: 1 } }],
  [
    `${at}/interactions/decide`,
    { decisions: [{ interactionId: approval.id, answer: { decision: 'approve' } }] },
  ],
  ...['/v1', '/api'].flatMap((prefix): [string, JsonObject][] => [
    [`${prefix}/sessions/${sample.session}/approve`, { toolCallId: 'call-approval' }],
    [`${prefix}/sessions/${sample.session}/deny`, { toolCallId: 'call-approval' }],
    [
      `${prefix}/sessions/${sample.session}/submit-answers`,
      { toolCallId: 'call-question', answers: { '0': 'Red', '1': ['S'] } },
    ],
  ]),
  [`${at}/messages`, { text: 'yes', replyTo: approval.id }],
  [`${at}/messages`, { text: 'Red', replyTo: question.id }],
  [`${at}/messages`, { text: '/cancel' }],
  [`${at}/messages`, { text: '/clear' }],
];

const PEOPLE = ['read', 'answer', 'send'];

const WIDENINGS: readonly (readonly [method: string, path: string, body?: JsonObject])[] = [
  ['PATCH', at, { permissionMode: 'acceptEdits' }],
  ['PATCH', at, { permissionMode: 'bypassPermissions' }],
  ['PATCH', at, { timeouts: { approval: null } }],
  ['POST', '/v1/sessions', { id: 'loose', permissionMode: 'acceptEdits' }],
  ['POST', '/v1/sessions', { id: 'loose', permissionMode: 'bypassPermissions' }],
  ['POST', `${at}/interactions/${approval.id}/extend`],
  ['POST', `${at}/clear`],
  ['POST', `${at}/interrupt`],
  ['DELETE', `${at}/rules/${sample.rule}`],
  ['POST', `${at}/rules`, { effect: 'deny', toolName: 'Bash' }],
  ['POST', '/v1/rules', { effect: 'deny', toolName: 'Bash' }],
  ['POST', '/v1/rules/try', { effect: 'deny', toolName: 'Bash' }],
  ['DELETE', `/v1/rules/${sample.rule}`],
  ['DELETE', at],
  ...(['answer', 'send', 'read', 'agent', 'admin'] as const).flatMap(
    (scope): [string, string, JsonObject][] => [
      ['POST', '/v1/tokens', { scopes: [scope] }],
      ['POST', `${at}/tokens`, { scopes: [scope] }],
      ['POST', '/v1/keys', { name: 'mine', scopes: [scope] }],
    ],
  ),
  ['PUT', '/v1/settings', { timeouts: { approval: null } }],
  ['GET', '/v1/keys'],
  ['GET', '/v1/audit'],
  ['DELETE', `/v1/keys/${sample.key}`],
  ['DELETE', '/v1/tokens/tok_somebody'],
];

it('[AUTH-6] an agent cannot answer, on any route or in any form', async () => {
  const own = await sign({ kind: 'session', session: sample.session, scopes: ['agent'] });
  for (const token of [agent, readingAgent, own, await sessionToken(sample.session, 'agent')]) {
    for (const [path, json] of ANSWERS) {
      expectRefused(await send(server, { method: 'POST', path, json, token }), 'forbidden');
    }
  }
  expect(await readVisibleState(server, sample)).toEqual(before);
});

it('[AUTH-6] an agent cannot widen a mode, a rule, a deadline or a credential', async () => {
  for (const [method, path, json] of WIDENINGS) {
    const request = { method, path, token: agent, ...(json !== undefined && { json }) };
    expectRefused(await send(server, request), 'forbidden');
  }
  expect(await readVisibleState(server, sample)).toEqual(before);
  expectRefused(await send(server, { method: 'GET', path: '/v1/sessions/loose' }), 'not_found');
});

it('[AUTH-6, LOG-7] an agent cannot write an answer, a rule or a mode into the log', async () => {
  const about = {
    interactionId: approval.id,
    toolCallId: 'call-approval',
    toolName: 'Bash',
    kind: 'approval',
  };
  const by = { subject: 'somebody', via: 'web' };
  const rule = { id: 'r', toolName: 'Bash', createdAt: 1, createdBy: 'me', interactionId: 'a~1' };
  const forged: readonly (readonly [string, JsonObject])[] = [
    [
      'interaction_response',
      { ...about, action: 'approve', outcome: 'approved', settledBy: by, settledAt: 1 },
    ],
    ['interaction_pending', { toolCallId: 'call-approval', toolName: 'Bash', pending: false }],
    ['interaction_update', { ...about, change: 'extended', expiresAt: null, by }],
    ['session_updated', { permissionMode: 'bypassPermissions', by }],
    ['session_updated', { ruleAdded: rule, by }],
    ['session_started', { permissionMode: 'bypassPermissions', createdBy: by }],
    ['user_message', { text: 'yes', subject: 'somebody' }],
    ['context_cleared', { by }],
  ];
  for (const [type, payload] of forged) {
    const json = { events: [{ type, toolCallId: 'call-approval', payload }] };
    const reply = await send(server, { method: 'POST', path: `${at}/events`, json, token: agent });
    expectRefused(reply, 'unknown_event_type');
  }
  const decided = { behavior: 'allow', by: { rule: sample.rule } };
  const payload = { toolName: 'Bash', input: {}, decided };
  const json = { events: [{ type: 'tool_call', toolCallId: 'call-x', payload }] };
  const reply = await send(server, { method: 'POST', path: `${at}/events`, json, token: agent });
  expectRefused(reply, 'invalid_request');
  expect(await readVisibleState(server, sample)).toEqual(before);
});

it('[INT-10, AUTH-6] an agent cannot let a deadline approve a tool or a plan', async () => {
  const openings: JsonObject[] = [
    {
      kind: 'approval',
      toolCallId: 'call-timed',
      toolName: 'Bash',
      input: {},
      timeoutSeconds: 1,
      onExpire: { answer: { decision: 'approve' } },
    },
    {
      kind: 'plan_review',
      toolCallId: 'call-timed',
      toolName: 'ExitPlanMode',
      plan: 'Go',
      timeoutSeconds: 1,
      onExpire: { answer: { decision: 'edit' } },
    },
  ];
  for (const json of openings) {
    const path = `${at}/interactions`;
    expectRefused(await send(server, { method: 'POST', path, json, token: agent }));
  }
  expect(await readVisibleState(server, sample)).toEqual(before);
});

it('[WS-2, AUTH-6] an agent cannot answer over a socket either', async () => {
  const socket = await openSocket(server, { session: sample.session, token: readingAgent });
  const frames: readonly JsonObject[] = [
    { type: 'answer', interactionId: approval.id, answer: { decision: 'approve' } },
    {
      type: 'answer',
      interactionId: question.id,
      answer: { answers: { '0': 'Red', '1': ['S'] } },
    },
    { type: 'message', text: 'yes', replyTo: approval.id },
    { type: 'message', text: '/clear' },
    { type: 'cancel', interactionId: approval.id },
    { type: 'interrupt' },
  ];
  for (const [index, frame] of frames.entries()) {
    const id = `try-${index}`;
    socket.send({ ...frame, id });
    const result = await socket.until((reply) => reply.id === id);
    expect(result).toMatchObject({ type: 'result', ok: false, error: { code: 'forbidden' } });
  }
  socket.close();
  const withoutReading = await openSocket(server, { session: sample.session, token: agent });
  expect(await withoutReading.closed).toBe(4403);
  expect(withoutReading.frames).toMatchObject([{ type: 'error', error: { code: 'forbidden' } }]);
  expect(await readVisibleState(server, sample)).toEqual(before);
});

it('[AUTH-6, CAN-2] an agent can cancel its own questions alone', async () => {
  const stranger = await keyWith('agent');
  const path = `${at}/interactions/${form.id}`;
  expectRefused(await send(server, { method: 'DELETE', path, token: stranger }), 'forbidden');
  expect(await readVisibleState(server, sample)).toEqual(before);
  const cancelled = await ask(server, { method: 'DELETE', path, token: agent });
  expect(cancelled).toMatchObject({ interaction: { outcome: 'cancelled' } });
});

it('[AUTH-6] no caller mints a scope that it lacks, whatever its other scopes', async () => {
  const mintable = { [`${at}/tokens`]: ['read', 'answer', 'send', 'agent'], '/v1/tokens': PEOPLE };
  for (const [path, scopes] of Object.entries(mintable)) {
    for (const lacking of scopes) {
      const others = scopes.filter((scope) => scope !== lacking);
      const token = await keyWith(...(others as Scope[]));
      for (const wanted of [[lacking], [...others, lacking]]) {
        const json = { scopes: wanted };
        expectRefused(await send(server, { method: 'POST', path, json, token }), 'forbidden');
      }
    }
  }
});

it('[AUTH-6] no caller mints a token with `admin`, and no person token has `agent`', async () => {
  const refused = [
    [`${at}/tokens`, ['admin']],
    [`${at}/tokens`, ['read', 'admin']],
    ['/v1/tokens', ['admin']],
    ['/v1/tokens', ['agent']],
  ] as const;
  for (const [path, scopes] of refused) {
    const json = { scopes: [...scopes] };
    expectRefused(await send(server, { method: 'POST', path, json }), 'invalid_request');
  }
});

it('[AUTH-6] a token made from a token lives no longer and keeps its subject', async () => {
  const expiresAt = Date.now() + 60_000;
  const token = await sign({
    kind: 'person',
    scopes: ['read'],
    subject: 'ada',
    expiresAt,
    mintedBy: ['key_1'],
  });
  const path = `${at}/tokens`;
  const asBob = { scopes: ['read'], subject: 'bob' };
  expectRefused(await send(server, { method: 'POST', path, json: asBob, token }), 'forbidden');
  const json = { scopes: ['read'], ttlSeconds: 86_400 };
  expect(await ask(server, { method: 'POST', path, json, token })).toMatchObject({ expiresAt });
});

it('[AUTH-2, WS-3] a socket cannot reach another session or workspace', async () => {
  const other = await openSampleSession(server);
  const tokens = [
    await sessionToken(other.session, 'read'),
    await sign({ scopes: ['admin'], workspace: 'other' }),
  ];
  for (const token of tokens) {
    const socket = await openSocket(server, { session: sample.session, token });
    expect(await socket.closed).toBe(4404);
    expect(socket.frames).toMatchObject([{ type: 'error', error: { code: 'not_found' } }]);
    expect(socket.subprotocol).toBe('holdpoint.v1');
  }
});

it('[LIM-4] is unharmed by all of it', async () => {
  await server.expectUnharmed();
});
