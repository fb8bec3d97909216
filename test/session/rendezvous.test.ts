/**
 * A command's request meets the tool call of its shell. A bug would look like a question at another call's block, the same
 * question twice, or a request that waits without end.
 */
import { describe, expect, it } from 'vitest';
import { answer, append, askApproval } from '../support/asks.ts';
import {
  askByWords,
  interactionOf,
  rendezvousWorld,
  toolCall,
} from '../support/rendezvous-world.ts';
import { SHIP, BACK, SHIP_CALL, BACK_CALL, result, OWN_ID } from './rendezvous-calls.ts';

describe('the call before the request', () => {
  it('[RDV-1, RDV-4] gives its ids; the interaction keeps its tool name and says how it was found', async () => {
    const { world, ask, report, pass } = await rendezvousWorld();
    await report(
      toolCall('call-ship', 'holdpoint ask "Ship it?"', { turnId: 't1', responseId: 'r1' }),
    );
    const asked = ask(SHIP);
    await pass(0);
    expect(interactionOf(asked)).toMatchObject({
      interactionId: 'call-ship~1',
      toolCallId: 'call-ship',
      turnId: 't1',
      responseId: 'r1',
      toolName: 'questions_ask',
      correlate: SHIP.common.correlate,
      correlated: { by: 'words', score: 6 },
      openedAt: world.now,
    });
    expect(world.log().at(-1)).toMatchObject({
      type: 'interaction_request',
      turnId: 't1',
      toolCallId: 'call-ship',
      payload: { correlated: { by: 'words', score: 6 }, correlate: SHIP.common.correlate },
    });
  });

  it.each([
    ['29 s', 29_000, 'call-ship'],
    ['31 s', 31_000, OWN_ID],
  ])('[RDV-1] %s before', async (_age, ms, id) => {
    const { ask, report, pass } = await rendezvousWorld();
    await report(SHIP_CALL);
    await pass(ms);
    const asked = ask(SHIP);
    await pass(1_000);
    expect(interactionOf(asked).toolCallId).toMatch(id);
  });

  it('[RDV-1] is found again after the process ended, also in a batch of a thousand', async () => {
    const { world, ask, pass, crash } = await rendezvousWorld();
    const texts = Array.from({ length: 499 }, () => ({
      type: 'assistant_text' as const,
      payload: { text: 'x'.repeat(20) },
    }));
    world.must(append(...texts, SHIP_CALL, ...texts, BACK_CALL));
    crash();
    const ship = ask(SHIP);
    const back = ask(BACK);
    await pass(0);
    expect(interactionOf(ship).toolCallId).toBe('call-ship');
    expect(interactionOf(back).toolCallId).toBe('call-back');
  });

  it.each([
    ['has its result', [result('call-ship')]],
    ['had its result reported first', [result('call-ship'), SHIP_CALL]],
    ['has its result and is reported again', [result('call-ship'), SHIP_CALL]],
    ['ended with its turn', [{ type: 'turn_ended', payload: { reason: 'completed' } }]],
    ['ended with the failure of its agent', [{ type: 'error', payload: { message: 'Broken' } }]],
  ] as const)('[RDV-5] that %s is not found, before and after a crash', async (_name, events) => {
    for (const crashes of [false, true]) {
      const { ask, report, pass, crash } = await rendezvousWorld();
      if (events[0]?.type !== 'tool_result' || events.length === 1) await report(SHIP_CALL);
      const early = ask(askByWords({ tool: 'nothing' }));
      await report(...events);
      if (crashes) crash();
      const asked = ask(SHIP);
      await pass(999);
      expect(asked.result).toBeUndefined();
      await pass(1);
      expect(interactionOf(asked).toolCallId).toMatch(OWN_ID);
      expect(crashes || early.result !== undefined).toBe(true);
    }
  });

  it('[RDV-5] of another turn goes on when a turn ends', async () => {
    const { ask, report, pass } = await rendezvousWorld();
    await report({ ...SHIP_CALL, turnId: 't1' }, { ...BACK_CALL, turnId: 't2' });
    await report({ type: 'turn_ended', turnId: 't1', payload: { reason: 'completed' } });
    const back = ask(BACK);
    const ship = ask(SHIP);
    await pass(1_000);
    expect(interactionOf(back).toolCallId).toBe('call-back');
    expect(interactionOf(ship).toolCallId).toMatch(OWN_ID);
  });

  it('[RDV-1] that was approved itself is found by the command that it then runs', async () => {
    const { world, ask, report, pass } = await rendezvousWorld();
    await report(SHIP_CALL);
    world.must(askApproval({ toolCallId: 'call-ship' }));
    const early = ask(SHIP);
    await pass(500);
    expect(early.result, 'a call that waits for its approval runs nothing').toBeUndefined();
    world.must(answer('call-ship~1', { decision: 'approve' }));
    await pass(0);
    expect(interactionOf(early)).toMatchObject({ interactionId: 'call-ship~2', status: 'open' });
    expect(world.record('call-ship~1')).toMatchObject({ outcome: 'approved' });
  });

  it('[RDV-1] that a person denied, or a rule, is not found', async () => {
    const { world, ask, report, pass } = await rendezvousWorld();
    await report(SHIP_CALL);
    world.must(askApproval({ toolCallId: 'call-ship' }));
    world.must(answer('call-ship~1', { decision: 'deny' }));
    world.must({ type: 'session.update', changes: { permissionMode: 'plan' } });
    await report(BACK_CALL);
    world.must(askApproval({ toolCallId: 'call-back' }));
    expect(world.log().at(-1)).toMatchObject({ payload: { decided: { behavior: 'deny' } } });
    const asked = [ask(SHIP), ask(BACK)];
    await pass(1_000);
    for (const one of asked) expect(interactionOf(one).toolCallId).toMatch(OWN_ID);
  });

  it('[RDV-1] of another session is not found', async () => {
    const other = await rendezvousWorld();
    await other.report(SHIP_CALL);
    const { ask, pass } = await rendezvousWorld();
    const asked = ask(SHIP);
    await pass(1_000);
    expect(interactionOf(asked).toolCallId).toMatch(OWN_ID);
  });

  it('[RDV-3] with the word inside another word is not found', async () => {
    const { ask, report, pass } = await rendezvousWorld();
    await report({
      ...toolCall('call-1', 'task list'),
      payload: { toolName: 'Run', input: { command: 'task' } },
    });
    const asked = ask(askByWords({ tool: 'ask' }));
    await pass(1_000);
    expect(interactionOf(asked).toolCallId).toMatch(OWN_ID);
  });

  it('[RDV-3] of a shell is the last resort, and the newest of them', async () => {
    const { ask, report, pass } = await rendezvousWorld();
    await report(toolCall('call-1', 'make'), toolCall('call-2', './run.sh'));
    const asked = ask(SHIP);
    await pass(999);
    expect(asked.result).toBeUndefined();
    await pass(1);
    expect(interactionOf(asked)).toMatchObject({
      toolCallId: 'call-2',
      correlated: { by: 'shell', score: 0 },
    });
  });
});

describe('the request before the call', () => {
  it.each([
    [900, 'call-ship'],
    [1_000, OWN_ID],
    [1_100, OWN_ID],
  ])('[RDV-2] by %i ms', async (ms, id) => {
    const { world, ask, report, pass } = await rendezvousWorld();
    const asked = ask(SHIP);
    const askedAt = world.now;
    await pass(ms);
    await report(SHIP_CALL);
    await pass(2_000);
    expect(interactionOf(asked).toolCallId).toMatch(id);
    expect(asked.at).toBe(askedAt + Math.min(ms, 1_000));
    expect(interactionOf(asked).correlate).toEqual(SHIP.common.correlate);
  });

  it('[RDV-5] crossing: each has its own call', async () => {
    const { ask, report } = await rendezvousWorld();
    const ship = ask(SHIP);
    await report(BACK_CALL);
    const back = ask(BACK);
    await report(SHIP_CALL);
    expect(interactionOf(ship).toolCallId).toBe('call-ship');
    expect(interactionOf(back).toolCallId).toBe('call-back');
  });

  it('[RDV-5] two for one call: the older has it, the younger opens with its own id', async () => {
    const { world, ask, report, pass } = await rendezvousWorld();
    const first = ask(SHIP, { key: 'key-first' });
    const second = ask(SHIP, { key: 'key-second' });
    await report(SHIP_CALL);
    await pass(1_000);
    expect(interactionOf(first).toolCallId).toBe('call-ship');
    expect(interactionOf(second).toolCallId).toMatch(OWN_ID);
    expect(world.state?.open.size).toBe(2);
  });

  it('[RDV-5] for a call whose question is answered: the call keeps its question', async () => {
    const { world, ask, report, pass } = await rendezvousWorld();
    await report(SHIP_CALL);
    ask(SHIP, { key: 'key-first' });
    await pass(0);
    world.must(answer('call-ship~1', { answers: { '0': 'Red' } }));
    const second = ask(SHIP, { key: 'key-second' });
    await pass(1_000);
    expect(interactionOf(second).toolCallId).toMatch(OWN_ID);
  });

  it('[RDV-2] a hook is found by tool name and input, and takes no shell', async () => {
    const { ask, report, pass } = await rendezvousWorld();
    const digest = 'e6e7572ee46c7dd7d7e4c0c22e8b8ea12d66bd1b6ee0dd5eb40a0b6f48f9fd51';
    const asked = ask(askByWords({ toolName: 'Bash', inputDigest: digest }));
    await report(SHIP_CALL);
    await pass(1_000);
    expect(interactionOf(asked).toolCallId).toMatch(OWN_ID);
  });
});
