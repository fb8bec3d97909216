/**
 * A request waits for its tool call in a real Durable Object. A bug would look like an eviction that loses a call, a wait
 * for the outcome that misses an answer, or a socket that gets no result.
 */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { LIMITS } from '../../src/protocol/limits.ts';
import { call, freshName, must } from './support/api.ts';
import { holdTimeouts } from './support/hurry.ts';
import { evict } from './support/objects.ts';
import {
  answer,
  createSession,
  question,
  sessionStub,
  type TestSession,
} from './support/session.ts';
import { connect } from './support/socket.ts';
import { until } from './support/until.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

const correlate = {
  plugin: 'holdpoint',
  operation: 'ask',
  tool: 'holdpoint_ask',
  command: 'holdpoint ask Color',
};

function asked() {
  const { toolCallId: _id, ...request } = question({ correlate });
  return request;
}

async function report(session: TestSession, toolCallId: string, command = 'holdpoint ask "Color"') {
  const body = { toolCallId, toolName: 'Bash', input: { command } };
  return call('POST', `${session.path}/tool-calls`, { body });
}

/** A call that must be accepted. */
async function reported(session: TestSession, toolCallId: string): Promise<void> {
  expect(await report(session, toolCallId)).toMatchObject({ status: 201, body: { ok: true } });
}

describe('a request without a call id', () => {
  it('[RDV-1, RDV-4] finds a call that was reported before its object left memory', async () => {
    const session = await createSession();
    const id = freshName('call');
    await reported(session, id);
    await evict(sessionStub(session));
    const { status, body } = await call('POST', `${session.path}/interactions`, { body: asked() });
    expect({ status, call: body.interaction?.toolCallId }).toEqual({ status: 201, call: id });
    expect(body.interaction?.correlated).toEqual({ by: 'words', score: 6 });
  });

  it('[RDV-2] waits for its call, and the object stays in memory for it', async () => {
    const session = await createSession();
    const id = freshName('call');
    const waits = holdTimeouts(LIMITS.rendezvousMs);
    const opened = call('POST', `${session.path}/interactions`, { body: asked() });
    await until(() => waits() > 0);
    await reported(session, id);
    // By its call alone: the second that it would wait at most never ends here.
    expect((await opened).body.interaction?.toolCallId).toBe(id);
  });

  it('[RDV-2, RDV-4] opens after a second without one', async () => {
    const session = await createSession();
    const from = Date.now();
    const { body } = await call('POST', `${session.path}/interactions`, { body: asked() });
    expect(Date.now() - from).toBeGreaterThanOrEqual(995);
    expect(body.interaction).toMatchObject({ correlate, status: 'open' });
    expect(body.interaction?.correlated).toBeUndefined();
  });

  it('[RDV-2, API-3] waits for its call and then for its outcome in one request', async () => {
    const session = await createSession();
    const id = freshName('call');
    const headers = { Prefer: 'wait=20' };
    const waits = holdTimeouts(LIMITS.rendezvousMs);
    const opened = call('POST', `${session.path}/interactions`, { body: asked(), headers });
    await until(() => waits() > 0);
    await reported(session, id);
    await until(async () => (await call('GET', session.path)).body.open?.length === 1);
    await answer(session, `${id}~1`, { answers: { '0': 'Red' } });
    expect(await opened).toMatchObject({
      body: { settled: true, interaction: { toolCallId: id, outcome: 'answered' } },
    });
  });

  it('[RDV-2] over a socket gets its result once it is open', async () => {
    const session = await createSession();
    const id = freshName('call');
    const socket = await connect(session);
    const waits = holdTimeouts(LIMITS.rendezvousMs);
    socket.send({ type: 'open', id: 'f1', ...asked() });
    await until(() => waits() > 0);
    await reported(session, id);
    expect(await socket.next('result')).toMatchObject({
      id: 'f1',
      ok: true,
      value: { interaction: { toolCallId: id } },
    });
  });

  it('[RDV-6] is refused when the session is cleared', async () => {
    const session = await createSession();
    const waits = holdTimeouts(LIMITS.rendezvousMs);
    const opened = call('POST', `${session.path}/interactions`, { body: asked() });
    await until(() => waits() > 0);
    await must('POST', `${session.path}/clear`, {});
    expect(await opened).toMatchObject({
      status: 409,
      body: { error: { code: 'session_interrupted', details: { by: 'cleared' } } },
    });
  });
});

describe('a reported call', () => {
  it('[RDV-1] changes nothing the second time, and another call has another id', async () => {
    const session = await createSession();
    const id = freshName('call');
    const first = await report(session, id);
    await evict(sessionStub(session));
    const again = await report(session, id);
    expect({ ...again.body, status: again.status }).toEqual({ ...first.body, status: 201 });
    expect(await report(session, id, 'rm -rf /')).toMatchObject({
      status: 409,
      body: { error: { code: 'tool_call_exists' } },
    });
  });
});
