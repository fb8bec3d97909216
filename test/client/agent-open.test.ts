/**
 * A question without its wait, over the session core in this process. A bug here looks like a serverless agent that runs a
 * tool without approval, or that asks anew each time it wakes.
 */
import { describe, expect, it, onTestFinished } from 'vitest';
import { connect, type AskRequest } from '../../src/client/index.ts';
import type { Interaction } from '../../src/protocol/types.ts';
import {
  altered,
  failing,
  HURRY,
  type Pair,
  pair,
  SESSION,
  UNREACHABLE,
} from '../support/agent.ts';
import { COLOR, PORT } from '../support/asks.ts';

const CALL = { kind: 'approval', toolName: 'Bash', input: { command: 'make deploy' } } as const;
const how = { toolCallId: 'deploy/42' };

/** The next process of the agent, which knows the id and the request. */
function later({ agentTransport }: Pair) {
  const agent = connect({ transport: agentTransport, session: SESSION, timing: HURRY });
  onTestFinished(() => agent.close());
  return agent;
}

describe('a question that is opened', () => {
  it('[TRN-8] is open at once, in a session that it begins, and its outcome is there for a later process', async () => {
    const world = pair();
    const opened = await world.agent.open(CALL, how);
    const { interactionId, agentWaiting } = await world.onlyOpen();
    expect(opened).toMatchObject({ status: 'open', interaction: { interactionId } });
    expect(agentWaiting).toBe(false);
    const read = () => later(world).outcome(interactionId, CALL);
    expect(await read()).toMatchObject({ status: 'open', interaction: { interactionId } });
    await world.person.answer(SESSION, interactionId, { decision: 'approve' });
    const settled = {
      status: 'settled',
      outcome: { outcome: 'approved', updatedInput: CALL.input },
    };
    expect(await read()).toMatchObject(settled);
    expect(await later(world).open(CALL, how)).toMatchObject(settled);
    expect((await world.person.snapshot(SESSION)).open).toEqual([]);
  });

  it('[TRN-8] is waited for as long as wanted, and has the outcome that comes in time', async () => {
    const world = pair();
    const opened = world.agent.open(CALL, { ...how, waitSeconds: 30 });
    const { interactionId } = await world.onlyOpen();
    await world.person.answer(SESSION, interactionId, { decision: 'deny', reason: 'no' });
    expect(await opened).toMatchObject({ outcome: { outcome: 'denied', reason: 'no' } });
    const next = await world.agent.open(CALL, { toolCallId: 'deploy/43', waitSeconds: 1 });
    expect(next).toMatchObject({ status: 'open' });
    const { interactionId: second } = await world.onlyOpen();
    const outcome = world.agent.outcome(second, CALL, { waitSeconds: 30 });
    await world.person.answer(SESSION, second, { decision: 'approve' });
    expect(await outcome).toMatchObject({ outcome: { outcome: 'approved' } });
  });

  it('[TRN-8, GATE-4] is decided by a rule or the mode without a person', async () => {
    const world = pair();
    await world.host
      .transport()
      .createSession({ id: SESSION, permissionMode: 'bypassPermissions' });
    expect(await world.agent.open(CALL, how)).toEqual({
      status: 'settled',
      outcome: {
        outcome: 'approved',
        updatedInput: CALL.input,
        isEdited: false,
        by: { mode: 'bypassPermissions' },
      },
    });
  });

  it.each<[AskRequest, object, object]>([
    [
      { kind: 'question', questions: [COLOR] },
      { answers: { '0': 'Red' } },
      { answers: { '0': 'Red' } },
    ],
    [
      { kind: 'plan_review', plan: '1. Look' },
      { decision: 'edit' },
      { permissionMode: 'acceptEdits' },
    ],
    [{ kind: 'form', schema: PORT }, { values: { host: 'h' } }, { values: { host: 'h' } }],
  ])('[TRN-8] has the outcome of its kind: %j', async (request, answer, outcome) => {
    const world = pair();
    await world.agent.open(request, how);
    const { interactionId } = await world.onlyOpen();
    await world.person.answer(SESSION, interactionId, answer as Interaction['request']);
    expect(await world.agent.outcome(interactionId, request)).toMatchObject({ outcome });
  });

  it('[TRN-8, GATE-4] allows nothing for another request than the one it was opened for', async () => {
    const world = pair();
    await world.agent.open(CALL, how);
    const { interactionId } = await world.onlyOpen();
    await world.person.answer(SESSION, interactionId, { decision: 'approve' });
    for (const other of [
      { ...CALL, input: { command: 'rm -rf /' } },
      { ...CALL, toolName: 'Sh' },
    ]) {
      await expect(later(world).outcome(interactionId, other)).rejects.toMatchObject({
        code: 'input_changed',
      });
    }
  });

  it('[TRN-8, INT-8] stays open, and is found, when the wait fails or is aborted', async () => {
    const world = pair();
    const { agentTransport } = world;
    const broken = altered(agentTransport, {
      interaction: () => Promise.reject(UNREACHABLE),
      open: failing(1, agentTransport.open.bind(agentTransport)),
    });
    const agent = connect({ transport: broken, session: SESSION, timing: HURRY });
    expect(await agent.open(CALL, { ...how, waitSeconds: 5 })).toMatchObject({ status: 'open' });
    const stop = new AbortController();
    const aborted = world.agent.open(CALL, { ...how, waitSeconds: 30, signal: stop.signal });
    await expect.poll(async () => (await world.onlyOpen()).agentWaiting).toBe(true);
    stop.abort();
    await expect(aborted).rejects.toMatchObject({ code: 'aborted' });
    expect((await world.onlyOpen()).status).toBe('open');
  });

  it('[TRN-8, ADP-2] is no sign of a killed agent: equal calls of two processes are two questions', async () => {
    const world = pair();
    await world.agent.open(CALL, { toolCallId: 'one' });
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    await later(world).open(CALL, { toolCallId: 'two' });
    expect(await world.open(2)).toHaveLength(2);
  });

  it('[TRN-8, ADP-2] that another call has by now is no longer its own, but that of the other', async () => {
    const world = pair();
    const first = await world.agent.open(CALL, { toolCallId: 'one', agentInstance: 'instance-a' });
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    const next = { toolCallId: 'two', agentInstance: 'instance-b' };
    expect(await later(world).open(CALL, next)).toMatchObject(
      first.status === 'open' ? { interaction: { interactionId: 'one~1' } } : {},
    );
    await world.person.answer(SESSION, 'one~1', { decision: 'approve' });
    const asOne = later(world).outcome('one~1', CALL, { toolCallId: 'one' });
    await expect(asOne).rejects.toMatchObject({ code: 'reassigned' });
    await expect(later(world).outcome('one~1', CALL)).rejects.toMatchObject({ code: 'reassigned' });
    const asTwo = await later(world).outcome('one~1', CALL, { toolCallId: 'two' });
    expect(asTwo).toMatchObject({ outcome: { outcome: 'approved' } });
  });
});
