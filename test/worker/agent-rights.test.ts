/**
 * An agent asks; it never answers, and never widens its rights.
 *
 * A bug would look like a refused agent that approves its own call by another route. These tables list every
 * route; after all of them the session must be unchanged.
 */
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/protocol/json.ts';
import { call, must } from './support/api.ts';
import { createKey, minted } from './support/credentials.ts';
import {
  type TestSession,
  approval,
  createSession,
  logOf,
  open,
  question,
} from './support/session.ts';
import { connect } from './support/socket.ts';
import { until } from './support/until.ts';

type Attempt = readonly [method: string, path: string, body?: JsonObject];

/** Each credential an agent may have, alone and with the scope to read. */
async function agents(session: TestSession): Promise<string[]> {
  const reading = await createKey(['agent', 'read']);
  return [
    (await createKey(['agent'])).token,
    reading.token,
    (await minted(reading.token, ['agent', 'read'], { session })).token,
  ];
}

describe('an agent', () => {
  it('[AUTH-6] is refused at every route that answers or lets others answer', async () => {
    const session = await createSession();
    const own = await open(session, approval({ toolCallId: 'call-own' }));
    const asked = await open(session, question({ toolCallId: 'call-asked' }));
    const { path } = session;
    const approve = { decision: 'approve' };
    const attempts: Attempt[] = [
      ['POST', `${path}/interactions/${own.interactionId}/answer`, approve],
      ['POST', `${path}/interactions/${own.interactionId}/extend`],
      [
        'POST',
        `${path}/interactions/decide`,
        { decisions: [{ interactionId: own.interactionId, answer: approve }] },
      ],
      ['DELETE', `${path}/interactions/${own.interactionId}`],
      ['POST', `${path}/messages`, { text: 'Red' }],
      ['POST', `${path}/messages`, { text: 'yes', replyTo: own.interactionId }],
      ['POST', `${path}/clear`],
      ['POST', `${path}/interrupt`],
      ['DELETE', path],
      ['PATCH', path, { permissionMode: 'bypassPermissions' }],
      ['PATCH', path, { permissionMode: 'default' }],
      ['PATCH', path, { timeouts: { approval: null } }],
      ['DELETE', `${path}/rules/any`],
      ['GET', '/v1/audit'],
      ['GET', '/v1/keys'],
      ['POST', '/v1/keys', { name: 'mine', scopes: ['answer'] }],
      ['PUT', '/v1/settings', { timeouts: {} }],
      ...['', '/api'].flatMap((prefix): Attempt[] => {
        const short = prefix === '' ? path : path.replace('/v1', prefix);
        return [
          ['POST', `${short}/approve`, { toolCallId: own.toolCallId }],
          ['POST', `${short}/deny`, { toolCallId: own.toolCallId }],
          ['POST', `${short}/submit-answers`, { toolCallId: 'call-asked', answers: { 0: 'Red' } }],
        ];
      }),
      ...['answer', 'send'].flatMap((scope): Attempt[] => [
        ['POST', '/v1/tokens', { scopes: [scope] }],
        ['POST', `${path}/tokens`, { scopes: [scope, 'agent'] }],
      ]),
      ['POST', '/v1/sessions', { permissionMode: 'bypassPermissions' }],
      ['POST', '/v1/sessions', { permissionMode: 'acceptEdits' }],
    ];
    const before = await logOf(session);
    for (const token of await agents(session)) {
      for (const [method, where, body] of attempts) {
        const ask = { token, ...(body !== undefined && { body }) };
        const { status } = await call(method, where, ask);
        expect(status, `${method} ${where} ${JSON.stringify(body)}`).toBe(403);
      }
      for (const where of ['/v1/tokens', `${path}/tokens`]) {
        const { status } = await call('POST', where, { token, body: { scopes: ['admin'] } });
        expect([400, 403]).toContain(status);
      }
    }
    expect(await logOf(session)).toEqual(before);
    const { open: still } = await must('GET', path);
    expect(still?.map((one) => one.interactionId)).toEqual([
      own.interactionId,
      asked.interactionId,
    ]);
  });

  it('[AUTH-6, INT-10] cannot smuggle an answer into its messages and events', async () => {
    const session = await createSession();
    const key = await createKey(['agent']);
    const ask = { token: key.token };
    const own = await open(session, approval(), ask);
    const { path } = session;
    const { interactionId, toolCallId, toolName } = own;
    const response = { interactionId, toolCallId, toolName, kind: 'approval', action: 'approve' };
    const events = [
      { type: 'interaction_response', toolCallId, payload: { ...response, outcome: 'approved' } },
      { type: 'interaction_pending', toolCallId, payload: { pending: false } },
      { type: 'session_updated', payload: { permissionMode: 'bypassPermissions' } },
      { type: 'user_message', payload: { text: 'yes', subject: 'ada' } },
    ];
    for (const event of events) {
      const reply = await call('POST', `${path}/events`, { ...ask, body: { events: [event] } });
      expect(reply.status).toBe(422);
      expect(reply.body.error?.code).toBe('unknown_event_type');
    }
    const decided = { behavior: 'allow', by: { mode: 'bypassPermissions' } };
    const claims = [{ type: 'tool_call', toolCallId, payload: { toolName, input: {}, decided } }];
    expect(
      (await call('POST', `${path}/events`, { ...ask, body: { events: claims } })).status,
    ).toBe(400);
    for (const body of [
      approval({ onExpire: { answer: { decision: 'approve' } } }),
      approval({ permissionMode: 'bypassPermissions' }),
      approval({ status: 'settled', outcome: 'approved' }),
      approval({ toolClass: 'read' }),
      approval({ timeoutSeconds: 0 }),
    ]) {
      const reply = await call('POST', `${path}/interactions`, { ...ask, body });
      expect(reply.status, JSON.stringify(body)).toBe(400);
    }
    const { open: still } = await must('GET', path);
    expect(still).toHaveLength(1);
  });

  it('[AUTH-6] cancels its own question and no other', async () => {
    const session = await createSession();
    const one = await createKey(['agent']);
    const other = await createKey(['agent']);
    const { interactionId } = await open(session, approval(), { token: one.token });
    const path = `${session.path}/interactions/${interactionId}`;
    expect((await call('DELETE', path, { token: other.token })).status).toBe(403);
    const own = await call('DELETE', path, { token: one.token });
    expect(own.body.interaction).toMatchObject({ outcome: 'cancelled' });
  });

  it('[CAN-2, AUTH-6] cancels all of its questions, and leaves the questions of others', async () => {
    const session = await createSession();
    const one = await createKey(['agent']);
    const other = await createKey(['agent']);
    await open(session, approval(), { token: one.token });
    await open(session, approval(), { token: one.token });
    const left = await open(session, approval(), { token: other.token });
    const path = `${session.path}/interactions/cancel`;
    const reply = await call('POST', path, { token: one.token });
    expect(reply).toMatchObject({ status: 200, body: { cancelled: 2 } });
    const { open: still } = await must('GET', session.path);
    expect(still?.map(({ interactionId }) => interactionId)).toEqual([left.interactionId]);
  });

  it('[APR-5, PEND-9] ends neither the call nor the turn of another agent', async () => {
    const session = await createSession();
    const one = await createKey(['agent']);
    const other = await createKey(['agent']);
    const path = `${session.path}/events`;
    const append = (token: string, ...events: JsonObject[]) =>
      call('POST', path, { token, body: { events } });
    await append(one.token, { type: 'turn_started', turnId: 'turn-1' });
    const asked = await open(session, approval({ turnId: 'turn-1' }), { token: one.token });
    const { toolCallId } = asked;
    const before = await logOf(session);
    const failed = { type: 'error', turnId: 'turn-1', payload: { message: 'Gone' } };
    for (const event of [
      { type: 'tool_result', toolCallId, payload: { output: 'FORGED' } },
      { type: 'turn_ended', turnId: 'turn-1' },
      { type: 'turn_started', turnId: 'turn-1' },
      failed,
    ]) {
      const reply = await append(other.token, { type: 'thinking', payload: { text: 'Hm' } }, event);
      expect(reply).toMatchObject({ status: 403, body: { error: { code: 'forbidden' } } });
    }
    expect(await logOf(session)).toEqual(before);
    expect((await append(one.token, { type: 'turn_ended' })).status).toBe(201);
    const { open: still } = await must('GET', session.path);
    expect(still).toEqual([]);
  });

  it('[APR-5] forges no result and no end of the built-in agent', async () => {
    const session = await createSession({ agent: {} });
    await must('POST', `${session.path}/messages`, { body: { text: 'write' } });
    const asked = async () => (await must('GET', session.path)).open?.[0];
    await until(async () => (await asked()) !== undefined);
    const { toolCallId = '', turnId = '' } = (await asked()) ?? {};
    const { token } = await createKey(['agent', 'answer', 'send', 'read']);
    for (const event of [
      { type: 'tool_result', toolCallId, payload: { output: 'FORGED: paid' } },
      { type: 'turn_ended', turnId },
      { type: 'turn_ended' },
    ]) {
      const body = { events: [event] };
      const reply = await call('POST', `${session.path}/events`, { token, body });
      expect(reply).toMatchObject({ status: 403, body: { error: { code: 'forbidden' } } });
    }
    const { open: still } = await must('GET', session.path);
    expect(still?.map((record) => record.toolCallId)).toEqual([toolCallId]);
  });

  it('[AUTH-6, WS-3] receives no event of the log without the scope read', async () => {
    const session = await createSession();
    const { token } = await createKey(['agent']);
    const { interactionId } = await open(session, approval(), { token });
    const paths = ['', '/events', '/interactions', '/export', '/rules'];
    for (const rest of paths) {
      expect((await call('GET', `${session.path}${rest}`, { token })).status).toBe(403);
    }
    const socket = await connect(session, { token });
    expect((await socket.closed).code).toBe(4403);
    const path = `${session.path}/interactions/${interactionId}`;
    expect((await call('GET', path, { token })).status).toBe(200);
  });

  it('[AUTH-6] creates sessions in which a person is asked', async () => {
    const { token } = await createKey(['agent']);
    for (const permissionMode of ['default', 'plan']) {
      const reply = await call('POST', '/v1/sessions', { token, body: { permissionMode } });
      expect(reply.status).toBe(201);
    }
  });
});
