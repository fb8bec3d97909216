/** A request that waits for its tool call, and one that need not. A bug would look like the same question twice, or a request that waits without end. */
import { describe, expect, it } from 'vitest';
import { openCommand } from '../../src/protocol/schema/command.ts';
import { LIMITS } from '../../src/protocol/limits.ts';
import { append, askPlan } from '../support/asks.ts';
import { agent, person, reader } from '../support/callers.ts';
import { askByWords, interactionOf, rendezvousWorld } from '../support/rendezvous-world.ts';
import { SHIP, BACK, SHIP_CALL, BACK_CALL, result, OWN_ID } from './rendezvous-calls.ts';

describe('a repeat', () => {
  it('[RDV-2, RDV-5] with the same key shares the wait and the call', async () => {
    const { world, ask, report } = await rendezvousWorld();
    const first = ask(SHIP, { key: 'key-of-ship' });
    const again = ask(SHIP, { key: 'key-of-ship' });
    await report(SHIP_CALL);
    expect(interactionOf(first).interactionId).toBe('call-ship~1');
    expect(interactionOf(again).interactionId).toBe('call-ship~1');
    expect(world.log().filter(({ type }) => type === 'interaction_request')).toHaveLength(1);
  });

  it('[RDV-2] after the opening is answered at once', async () => {
    const { ask, report, pass } = await rendezvousWorld();
    await report(SHIP_CALL);
    ask(SHIP, { key: 'key-of-ship' });
    await pass(0);
    const again = ask(SHIP, { key: 'key-of-ship' });
    await pass(0);
    expect(again.result).toMatchObject({ ok: true, replayed: true });
    expect(interactionOf(again).interactionId).toBe('call-ship~1');
  });

  it('[RDV-2] with another body is refused at once, in the wait and after it', async () => {
    const { ask, report, pass } = await rendezvousWorld();
    ask(SHIP, { key: 'key-of-ship' });
    const other = ask(BACK, { key: 'key-of-ship' });
    await pass(0);
    expect(other.result).toMatchObject({ ok: false, code: 'idempotency_key_reused' });
    await report(SHIP_CALL);
    const late = ask(BACK, { key: 'key-of-ship' });
    await pass(0);
    expect(late.result).toMatchObject({ ok: false, code: 'idempotency_key_reused' });
  });

  it('[RDV-5] with the key of another credential is another request', async () => {
    const { ask, report, pass } = await rendezvousWorld();
    const mine = ask(SHIP, { key: 'key-of-ship' });
    const theirs = ask(SHIP, { key: 'key-of-ship', caller: agent('other') });
    await report(SHIP_CALL);
    await pass(1_000);
    expect(interactionOf(mine).toolCallId).toBe('call-ship');
    expect(interactionOf(theirs).toolCallId).toMatch(OWN_ID);
  });

  it('[RDV-1, RDV-5] after the process was killed in the wait finds the call', async () => {
    const { ask, report, pass, crash } = await rendezvousWorld();
    const lost = ask(SHIP, { key: 'key-of-ship' });
    await pass(500);
    await report(BACK_CALL);
    crash();
    const again = ask(SHIP, { key: 'key-of-ship' });
    await pass(500);
    await report(SHIP_CALL);
    expect(interactionOf(again).toolCallId).toBe('call-ship');
    await pass(5_000);
    expect(lost.result, 'nothing of the dead process runs on').toBeUndefined();
  });
});

describe('while it waits', () => {
  it.each([
    ['cleared', { type: 'session.clear' }, 'session_interrupted'],
    ['cleared by text', { type: 'message.send', text: '/clear' }, 'session_interrupted'],
    ['interrupted', { type: 'turn.interrupt' }, 'session_interrupted'],
    ['deleted', { type: 'session.delete' }, 'session_deleted'],
  ] as const)('[RDV-6] the session is %s: it is refused', async (_how, command, code) => {
    const { world, ask, pass } = await rendezvousWorld();
    const asked = [ask(SHIP, { key: 'key-of-ship' }), ask(SHIP, { key: 'key-of-ship' }), ask(BACK)];
    await pass(100);
    world.must(command);
    await pass(0);
    for (const one of asked) expect(one.result).toMatchObject({ ok: false, code });
    const head = world.log().length;
    await pass(2_000);
    expect(world.log().length).toBe(command.type === 'session.delete' ? 0 : head);
  });

  it('[RDV-6] an interrupt that is repeated by its key refuses nothing new', async () => {
    const { world, ask, pass } = await rendezvousWorld();
    world.must({ type: 'turn.interrupt' }, { key: 'key-of-stop' });
    const asked = ask(SHIP);
    world.must({ type: 'turn.interrupt' }, { key: 'key-of-stop' });
    await pass(1_000);
    expect(interactionOf(asked).toolCallId).toMatch(OWN_ID);
  });

  it('[RDV-6] the client is gone: it opens, and its result has no reader', async () => {
    const { world, report, pass } = await rendezvousWorld();
    const socket = world.connect({ caller: agent() });
    const { type: _type, common, request } = SHIP;
    void world.receive(socket, { type: 'open', id: 'f1', ...common, ...request });
    await pass(10);
    world.drop(socket);
    await report(SHIP_CALL);
    expect([...(world.state?.open.keys() ?? [])]).toEqual(['call-ship~1']);
  });

  it('[RDV-2] over a socket other frames are answered, and then it', async () => {
    const { world, report, pass } = await rendezvousWorld();
    const socket = world.connect({ caller: agent() });
    const { type: _type, common, request } = SHIP;
    void world.receive(socket, { type: 'open', id: 'f1', ...common, ...request });
    void world.receive(socket, { type: 'cancel', id: 'f2' });
    await pass(10);
    await report(SHIP_CALL);
    await pass(10);
    const results = socket.frames.filter(({ type }) => type === 'result');
    expect(results.map(({ id }) => id)).toEqual(['f2', 'f1']);
  });

  it('[RDV-2, LIM-2] so many wait that another is refused; others are served', async () => {
    const { world, ask, pass } = await rendezvousWorld();
    for (let count = 0; count < LIMITS.openInteractions; count += 1) ask(SHIP);
    const more = ask(SHIP);
    await pass(0);
    expect(more.result).toMatchObject({
      code: 'limit_reached',
      details: { limit: 'openInteractions', max: 64 },
    });
    expect(world.handle(askPlan()).ok).toBe(true);
    await pass(1_000);
    expect(world.state?.open.size).toBe(LIMITS.openInteractions);
  });

  it('[RDV-2, LOG-8] a write that fails refuses that one; its repeat opens with the call', async () => {
    const { world, ask, report, pass } = await rendezvousWorld();
    const first = ask(SHIP, { key: 'key-of-ship' });
    world.must(append(SHIP_CALL));
    world.beforeCommit = () => {
      throw new Error('disk full');
    };
    await pass(0);
    expect(first.result).toMatchObject({ ok: false, code: 'write_failed' });
    world.beforeCommit = () => undefined;
    const again = ask(SHIP, { key: 'key-of-ship' });
    await report(result('call-other'));
    expect(interactionOf(again).toolCallId).toBe('call-ship');
  });
});

describe('what does not wait', () => {
  it('[RDV-2] both a call id and a description are refused', () => {
    const { common, request } = SHIP;
    const both = { ...common, toolCallId: 'call-1', ...request } as Parameters<
      typeof openCommand
    >[0];
    expect(openCommand(both)).toMatchObject({ ok: false, code: 'invalid_request' });
    const { correlate: _correlate, ...named } = both;
    expect(openCommand(named)).toMatchObject({ type: 'interaction.open' });
  });

  it.each([
    ['nothing to look for', {}],
    ['an operation alone', { operation: 'ask' }],
    ['a digest alone', { inputDigest: '0'.repeat(64) }],
    ['a digest in capitals', { toolName: 'Bash', inputDigest: 'A'.repeat(64) }],
    ['an unknown field', { tool: 'x', shell: true }],
    ['a name of 201', { tool: 'x'.repeat(201) }],
    ['a command over 16 KiB', { tool: 'x', command: 'ä'.repeat(8_193) }],
    ['words over 16 KiB together', { tool: 'x', command: ['x'.repeat(9_000), 'x'.repeat(9_000)] }],
  ])('[RDV-2] %s is refused', (_name, correlate) => {
    const { request, common } = SHIP;
    const body = { ...common, correlate, ...request } as Parameters<typeof openCommand>[0];
    expect(openCommand(body)).toMatchObject({ ok: false, code: 'invalid_request' });
  });

  it('[RDV-2] a refusal, and a caller who may not open', async () => {
    const { ask, pass } = await rendezvousWorld();
    const unknown = ask(askByWords({ tool: 'x' }, { kind: 'nothing' }));
    const stranger = ask(SHIP, { caller: reader() });
    const answerer = ask(SHIP, { caller: person() });
    await pass(0);
    expect(unknown.result).toMatchObject({ code: 'unknown_kind' });
    expect(stranger.result).toMatchObject({ code: 'forbidden' });
    expect(answerer.result).toMatchObject({ code: 'forbidden' });
  });

  it('[RDV-2, GATE-2] a call that the mode decides; its event has an id of its own and is no candidate', async () => {
    const { world, ask, report, pass } = await rendezvousWorld();
    await report(SHIP_CALL);
    world.must({ type: 'session.update', changes: { permissionMode: 'plan' } });
    const { correlate } = SHIP.common;
    const request = { input: { command: 'holdpoint ask "Ship it?"' } };
    const approval = {
      type: 'interaction.open',
      common: { toolName: 'Bash', kind: 'approval', ...(correlate && { correlate }) },
      request,
    } as const;
    const gated = ask(approval);
    await pass(0);
    expect(gated.result).toMatchObject({ ok: true, body: { decision: { behavior: 'deny' } } });
    const written = world.log().at(-1);
    expect(written).toMatchObject({ type: 'tool_call', payload: { correlate } });
    expect(written?.toolCallId).toMatch(OWN_ID);
    world.must({ type: 'session.update', changes: { permissionMode: 'default' } });
    const asked = ask(SHIP);
    await pass(0);
    expect(interactionOf(asked).toolCallId).toBe('call-ship');
  });
});
