/**
 * An agent that is gone and comes back as another instance, over the session core in this process. A bug here looks like a
 * person who is asked twice about one call, or like one answer that lets two runs of an agent act.
 */
import { describe, expect, it, onTestFinished } from 'vitest';
import { connect } from '../../src/client/agent/connect.ts';
import { abortedError, unreachableError } from '../../src/client/errors.ts';
import { orAbort } from '../../src/client/requests/signals.ts';
import type { Interaction } from '../../src/protocol/types.ts';
import { altered, HURRY, type Pair, pair, SESSION } from '../support/agent.ts';

const CALL = { toolName: 'Bash', input: { command: 'make deploy' } };

/**
 * An instance whose waits reach nobody, as if its process were gone; `comesBack` lets them through, each for a second: a wait
 * notices only at its end that another instance has the question.
 */
function gone({ agentTransport }: Pair) {
  let comesBack: () => void = () => undefined;
  const back = new Promise<void>((resolve) => (comesBack = resolve));
  const transport = altered(agentTransport, {
    async interaction(session, id, options): Promise<Interaction> {
      await orAbort(back, options?.signal ?? new AbortController().signal, abortedError);
      return agentTransport.interaction(session, id, { ...options, waitSeconds: 1 });
    },
  });
  const agent = connect({ transport, session: SESSION, timing: HURRY });
  return { agent, comesBack };
}

/** Another process. */
function next({ agentTransport }: Pair) {
  const agent = connect({ transport: agentTransport, session: SESSION, timing: HURRY });
  onTestFinished(() => agent.close());
  return agent;
}

const rejection = (asked: Promise<unknown>) => asked.catch((error: unknown) => error);

describe('an agent that was killed while it waited', () => {
  it('[ADP-2] is not asked twice: its next instance waits for the same question', async () => {
    const world = pair();
    void rejection(gone(world).agent.approve(CALL));
    const { interactionId } = await world.onlyOpen();
    const asked = next(world).approve(CALL);
    await expect
      .poll(async () => (await world.onlyOpen()).reassignedTo, { timeout: 30_000 })
      .toBeDefined();
    await world.person.answer(SESSION, interactionId, { decision: 'approve' });
    expect(await asked).toMatchObject({ outcome: 'approved', interaction: { interactionId } });
  });

  it.each([
    [{ decision: 'approve' }, 'approved'],
    [{ decision: 'deny', reason: 'not now' }, 'denied'],
  ] as const)(
    '[ADP-2] its next instance has the answer that came in between: %j',
    async (answer, outcome) => {
      const world = pair();
      void rejection(gone(world).agent.approve(CALL));
      const { interactionId } = await world.onlyOpen();
      await world.person.answer(SESSION, interactionId, answer);
      expect(await next(world).approve(CALL)).toMatchObject({
        outcome,
        interaction: { interactionId },
      });
      void rejection(next(world).approve(CALL));
      expect((await world.onlyOpen()).interactionId).not.toBe(interactionId);
    },
  );

  it('[ADP-2] and was only away asks anew: the answer is no longer its own', async () => {
    const world = pair();
    const away = gone(world);
    const first = rejection(away.agent.approve(CALL, { toolCallId: 'call-1' }));
    const { interactionId } = await world.onlyOpen();
    const second = next(world).approve(CALL, { toolCallId: 'call-2' });
    await expect
      .poll(async () => (await world.onlyOpen()).agentWaiting, { timeout: 30_000 })
      .toBe(true);
    await world.person.answer(SESSION, interactionId, { decision: 'approve' });
    expect(await second).toMatchObject({ outcome: 'approved' });
    away.comesBack();
    const again = await world.onlyOpen();
    expect(again.interactionId).not.toBe(interactionId);
    await world.person.answer(SESSION, again.interactionId, { decision: 'deny' });
    expect(await first).toMatchObject({
      outcome: 'denied',
      interaction: { interactionId: again.interactionId },
    });
  });

  it('[ADP-2] takes nothing back that its next instance has by then', async () => {
    const world = pair();
    const abort = new AbortController();
    const first = rejection(
      gone(world).agent.approve(CALL, { toolCallId: 'call-1', signal: abort.signal }),
    );
    const { interactionId } = await world.onlyOpen();
    const second = next(world).approve(CALL);
    await expect
      .poll(async () => (await world.onlyOpen()).reassignedTo, { timeout: 30_000 })
      .toBeDefined();
    abort.abort();
    expect(await first).toMatchObject({ code: 'aborted' });
    expect(await world.onlyOpen()).toMatchObject({ interactionId });
    await world.person.answer(SESSION, interactionId, { decision: 'approve' });
    expect(await second).toMatchObject({ outcome: 'approved' });
  });

  it('[ADP-2] acts on no answer that the server has not noted as its own', async () => {
    const world = pair();
    let isOut = true;
    const transport = altered(world.agentTransport, {
      acknowledge: (...of) =>
        isOut
          ? Promise.reject(unreachableError('There is no way to the server', undefined))
          : world.agentTransport.acknowledge(...of),
    });
    const agent = connect({ transport, session: SESSION, timing: HURRY });
    let outcome: unknown;
    const asked = agent.approve(CALL).then((ended) => (outcome = ended));
    const { interactionId } = await world.onlyOpen();
    await world.person.answer(SESSION, interactionId, { decision: 'approve' });
    const second = next(world).approve(CALL);
    expect(await second).toMatchObject({ outcome: 'approved', interaction: { interactionId } });
    expect(outcome).toBeUndefined();
    isOut = false;
    const again = await world.onlyOpen();
    await world.person.answer(SESSION, again.interactionId, { decision: 'deny' });
    expect(await asked).toMatchObject({ outcome: 'denied' });
  });
});

describe('an agent that lives', () => {
  it('[ADP-2] asks two questions for two equal calls', async () => {
    const world = pair();
    const asked = [world.agent.approve(CALL), world.agent.approve(CALL)];
    for (const { toolCallId } of await world.open(2)) {
      await world.person.approveTool(SESSION, toolCallId);
    }
    const outcomes = await Promise.all(asked);
    const ids = outcomes.map(({ interaction }) => interaction?.interactionId);
    expect(new Set(ids).size).toBe(2);
  });

  it('[ADP-2] is asked about too when another instance takes over its question', async () => {
    const world = pair();
    const first = world.agent.approve(CALL);
    await expect
      .poll(async () => (await world.onlyOpen()).agentWaiting, { timeout: 30_000 })
      .toBe(true);
    const second = next(world).approve(CALL);
    for (const { toolCallId } of await world.open(2)) {
      await world.person.approveTool(SESSION, toolCallId);
    }
    expect(await Promise.all([first, second])).toMatchObject([
      { outcome: 'approved' },
      { outcome: 'approved' },
    ]);
  });
});
