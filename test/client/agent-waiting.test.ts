/**
 * An agent waits for an answer through every failure that passes, and cancels its question when it aborts.
 *
 * A bug here looks like an answer that the agent never receives because the network failed for a moment, or a
 * card that asks a person on behalf of an agent that left.
 */
import { describe, expect, it, vi } from 'vitest';
import { connect } from '../../src/client/agent/connect.ts';
import { ClientError } from '../../src/client/errors.ts';
import { altered, failing, HURRY, pair, SESSION, UNREACHABLE } from '../support/agent.ts';

const CALL = { toolName: 'Bash', input: { command: 'ls' } };
const how = { toolCallId: 'call-1' };
const refusal = async (promise: Promise<unknown>) => {
  const cause = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(cause).toBeInstanceOf(ClientError);
  return cause as ClientError;
};
const limitReached = (limit: string) =>
  new ClientError({ code: 'limit_reached', message: limit, retry: 'later', details: { limit } });

describe('an agent that waits', () => {
  it('[INT-8] keeps asking and waiting while no server can be reached, and reports it', async () => {
    const { agentTransport, person, onlyOpen: one } = pair();
    const transport = altered(agentTransport, {
      open: failing(3, agentTransport.open.bind(agentTransport)),
      interaction: failing(3, agentTransport.interaction.bind(agentTransport)),
    });
    const onRetry = vi.fn<() => void>();
    const agent = connect({ transport, session: SESSION, timing: HURRY, onRetry });
    const asked = agent.approve(CALL, how);
    await one();
    await vi.waitFor(() => expect(onRetry).toHaveBeenCalledTimes(6), 30_000);
    expect(onRetry).toHaveBeenCalledWith({ error: UNREACHABLE, pauseMs: expect.any(Number) });
    await person.approveTool(SESSION, 'call-1');
    expect(await asked).toMatchObject({ outcome: 'approved' });
  });

  it('[INT-5, INT-8] finds its question again after its own restart, answered or not', async () => {
    const { agent, agentTransport, person, open } = pair();
    const lost = agent.approve(CALL, how);
    await open();
    const second = connect({ transport: agentTransport, session: SESSION });
    const found = second.approve(CALL, how);
    await person.approveTool(SESSION, 'call-1');
    expect(await found).toMatchObject({ interaction: { interactionId: 'call-1~1' } });
    const third = connect({ transport: agentTransport, session: SESSION });
    expect(await third.approve(CALL, how)).toEqual(await found);
    expect(await lost).toEqual(await found);
  });

  it('[TRN-5] opens one interaction, also when the reply to the opening is lost', async () => {
    const { agentTransport, person, onlyOpen: one } = pair();
    let isLost = false;
    const transport = altered(agentTransport, {
      async open(...args) {
        const opened = await agentTransport.open(...args);
        if (isLost) return opened;
        isLost = true;
        throw UNREACHABLE;
      },
    });
    const agent = connect({ transport, session: SESSION, timing: HURRY });
    const asked = agent.approve(CALL);
    const { toolCallId } = await one();
    await person.approveTool(SESSION, toolCallId);
    expect(await asked).toMatchObject({ outcome: 'approved' });
    expect((await person.snapshot(SESSION)).head).toBe(5);
  });

  it('[LIM-2] waits at a limit that passes, and not at a limit that stays', async () => {
    const { agentTransport, person, onlyOpen: one } = pair();
    const open = agentTransport.open.bind(agentTransport);
    const busy = altered(agentTransport, {
      open: failing(2, open, limitReached('openInteractions')),
    });
    const asked = connect({ transport: busy, session: SESSION, timing: HURRY }).approve(CALL, how);
    await one();
    await person.approveTool(SESSION, 'call-1');
    expect(await asked).toMatchObject({ outcome: 'approved' });
    const full = altered(agentTransport, {
      open: failing(2, open, limitReached('eventsPerSession')),
    });
    const agent = connect({ transport: full, session: SESSION, timing: HURRY });
    expect((await refusal(agent.approve(CALL, how))).code).toBe('limit_reached');
  });

  it('[GATE-4] gives up after its time limit, with the reason of the last try', async () => {
    const { agentTransport, open } = pair();
    const dead = altered(agentTransport, { open: () => Promise.reject(UNREACHABLE) });
    const agent = connect({
      transport: dead,
      session: SESSION,
      timing: HURRY,
      giveUpAfterSeconds: 0.05,
    });
    expect(await refusal(agent.approve(CALL, how))).toBe(UNREACHABLE);

    const silent = altered(agentTransport, {
      open: (_session, _request, { signal } = {}) =>
        new Promise((_resolve, reject) => {
          signal?.addEventListener('abort', () =>
            reject(new ClientError({ code: 'aborted', message: 'gone', retry: 'never' })),
          );
        }),
    });
    const waiting = connect({
      transport: silent,
      session: SESSION,
      timing: HURRY,
      giveUpAfterSeconds: 0.05,
    });
    expect((await refusal(waiting.approve(CALL, how))).code).toBe('unreachable');

    const deaf = altered(agentTransport, { interaction: () => Promise.reject(UNREACHABLE) });
    const asking = connect({
      transport: deaf,
      session: SESSION,
      timing: HURRY,
      giveUpOpenAfterSeconds: 0.05,
    });
    expect(await refusal(asking.approve(CALL, how))).toBe(UNREACHABLE);
    await open();
  });

  it('[GATE-4] rejects at once over a failure that no repeat can change', async () => {
    const { agent } = pair();
    expect((await refusal(agent.ask([], how))).code).toBe('invalid_request');
    const cyclic: Record<string, unknown> = {};
    cyclic.self = cyclic;
    await expect(agent.approve({ toolName: 'T', input: cyclic }, how)).rejects.toThrow();
  });
});

describe('an agent that gives up', () => {
  it('[CAN-4] cancels its question and receives "aborted"', async () => {
    const { agent, person, onlyOpen: one, open } = pair();
    const stop = new AbortController();
    const asked = refusal(agent.approve(CALL, { ...how, signal: stop.signal }));
    const { interactionId } = await one();
    stop.abort(new Error('the user closed the window'));
    const error = await asked;
    expect(error).toMatchObject({
      code: 'aborted',
      details: { interaction: { outcome: 'cancelled' } },
    });
    expect(error.cause).toMatchObject({ message: 'the user closed the window' });
    await open(0);
    expect(await person.interaction(SESSION, interactionId)).toMatchObject({
      outcome: 'cancelled',
      reason: 'The agent no longer waits for this',
    });
  });

  it('[CAN-4] sends no request if it gave up before', async () => {
    const { agent, person } = pair();
    await person.createSession({ id: SESSION });
    const gone = agent.approve(CALL, { ...how, signal: AbortSignal.abort() });
    expect((await refusal(gone)).code).toBe('aborted');
    expect((await person.snapshot(SESSION)).head).toBe(1);
  });

  it('[CAN-4] leaves no interaction open that it opened while it gave up', async () => {
    const { agentTransport, person, open } = pair();
    const stop = new AbortController();
    let tries = 0;
    const transport = altered(agentTransport, {
      async open(...args) {
        const opened = await agentTransport.open(...args);
        tries += 1;
        if (tries > 1) return opened;
        stop.abort();
        throw new ClientError({ code: 'aborted', message: 'gone', retry: 'never' });
      },
    });
    const agent = connect({ transport, session: SESSION, timing: HURRY });
    expect((await refusal(agent.approve(CALL, { signal: stop.signal }))).code).toBe('aborted');
    await open(0);
    expect((await person.snapshot(SESSION)).head).toBe(5);
  });

  it('[CAN-4] repeats the cancel for a while, and reports a cancel that failed', async () => {
    const { agentTransport, onlyOpen: one, open } = pair();
    const cancel = agentTransport.cancel.bind(agentTransport);
    const flaky = altered(agentTransport, { cancel: failing(3, cancel) });
    const stop = new AbortController();
    const signal = stop.signal;
    const asked = refusal(
      connect({ transport: flaky, session: SESSION, timing: HURRY }).approve(CALL, { signal }),
    );
    await one();
    stop.abort();
    expect(await asked).toMatchObject({ details: { interaction: { outcome: 'cancelled' } } });
    await open(0);

    const forbidden = new ClientError({ code: 'forbidden', message: 'No', retry: 'never' });
    const kept = altered(agentTransport, { cancel: () => Promise.reject(forbidden) });
    const again = new AbortController();
    const left = refusal(
      connect({ transport: kept, session: SESSION, timing: HURRY }).approve(CALL, {
        signal: again.signal,
      }),
    );
    await open();
    again.abort();
    const error = await left;
    expect(error).toMatchObject({ code: 'aborted', cause: forbidden });
    expect(error.message).toContain('may still be open');
  });

  it('[CAN-4] closes only after its abandoned interactions are cancelled, and leaves other interactions open', async () => {
    const { agentTransport, person, open } = pair();
    const close = vi.fn<() => void>();
    const transport = altered(agentTransport, { close });
    const agent = connect({ transport, session: SESSION, timing: HURRY });
    const stop = new AbortController();
    const left = refusal(agent.approve(CALL, { ...how, signal: stop.signal }));
    const kept = agent.approve(CALL, { toolCallId: 'call-2' });
    await open(2);
    stop.abort();
    const closed = agent.close();
    expect(close).not.toHaveBeenCalled();
    await closed;
    expect(close).toHaveBeenCalledOnce();
    await left;
    expect(await open(1)).toMatchObject([{ toolCallId: 'call-2' }]);
    await person.approveTool(SESSION, 'call-2');
    await kept;
  });

  it('[CAN-4] leaves no question open whose opening it could not confirm', async () => {
    const { agent, open } = pair();
    const onOpened = () => {
      throw new Error('no screen');
    };
    await expect(agent.approve(CALL, { onOpened })).rejects.toThrow('no screen');
    await open(0);
  });

  it('[CAN-4] may come back: a cancelled call is asked again with reopen', async () => {
    const { agent, person, open } = pair();
    const stop = new AbortController();
    const asked = refusal(agent.approve(CALL, { ...how, signal: stop.signal }));
    await open();
    stop.abort();
    await asked;
    expect(await agent.approve(CALL, how)).toMatchObject({ outcome: 'cancelled' });
    const again = agent.approve(CALL, { ...how, reopen: true });
    await open();
    await person.approveTool(SESSION, 'call-1');
    expect(await again).toMatchObject({ outcome: 'approved' });
  });
});

describe('the session of an agent', () => {
  it('[TRN-1] is created by the first opening when it does not exist', async () => {
    const { agentTransport, person, open } = pair();
    const agents = Array.from({ length: 3 }, () =>
      connect({ transport: agentTransport, session: SESSION, title: 'Deploy', timing: HURRY }),
    );
    const asked = agents.map((agent) => agent.approve(CALL));
    const waiting = await open(3);
    for (const { toolCallId } of waiting) await person.approveTool(SESSION, toolCallId);
    expect((await Promise.all(asked)).map(({ outcome }) => outcome)).toEqual(
      Array.from({ length: 3 }, () => 'approved'),
    );
    expect((await person.snapshot(SESSION)).session.title).toBe('Deploy');
  });

  it('[TRN-1, TRN-5] is created without a name, and only once', async () => {
    const { agentTransport, person } = pair();
    const createSession = agentTransport.createSession.bind(agentTransport);
    const transport = altered(agentTransport, { createSession: failing(1, createSession) });
    const agent = connect({ transport, timing: HURRY });
    const asked = [agent.approve(CALL, how), agent.approve(CALL, { toolCallId: 'call-2' })];
    const id = await vi.waitFor(() => agent.session(), 30_000);
    await vi.waitFor(async () => expect((await person.snapshot(id)).open).toHaveLength(2), 30_000);
    await person.approveTool(id, 'call-1');
    await person.denyTool(id, 'call-2');
    const outcomes = (await Promise.all(asked)).map(({ outcome }) => outcome);
    expect(outcomes).toEqual(['approved', 'denied']);
    expect((await person.sessions()).sessions).toHaveLength(1);
  });

  it('[AUTH-2] is reported missing to a token that cannot see it, whatever scopes the token lacks', async () => {
    const { host } = pair();
    const role = { subject: 'agent', scopes: ['agent' as const], session: 'another' };
    const agent = connect({ transport: host.transport(role), session: SESSION, timing: HURRY });
    expect((await refusal(agent.approve(CALL, how))).code).toBe('not_found');
  });
});

describe('connect', () => {
  it('[TRN-1] reads missing options from the environment, and names a missing setting', async () => {
    vi.stubEnv('HOLDPOINT_URL', '');
    vi.stubEnv('HOLDPOINT_TOKEN', '');
    expect(() => connect()).toThrow('HOLDPOINT_URL');
    expect(() => connect()).toThrow(ClientError);
    expect(() => connect({ url: 'http://127.0.0.1:9' })).toThrow('HOLDPOINT_TOKEN');
    vi.stubEnv('HOLDPOINT_URL', 'http://127.0.0.1:9');
    vi.stubEnv('HOLDPOINT_TOKEN', 'hp_token');
    vi.stubEnv('HOLDPOINT_SESSION', 'from-environment');
    const agent = connect();
    vi.unstubAllEnvs();
    expect(await agent.session()).toBe('from-environment');
    await agent.close();
  });
});
