/**
 * Several calls of an agent asked about at once, over the session core in this process. A bug here looks like an agent that
 * runs one tool on the approval of another, or that leaves a question open that no one waits for.
 */
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { connect } from '../../src/client/index.ts';
import { ClientError } from '../../src/client/errors.ts';
import { readBatch } from '../../src/client/requests/read-batch.ts';
import type { HttpReply } from '../../src/client/requests/request.ts';
import type { Transport } from '../../src/client/transport.ts';
import { altered, HURRY, type Pair, pair, SESSION } from '../support/agent.ts';
import { COLOR } from '../support/asks.ts';

function call(command: string) {
  return { kind: 'approval', toolName: 'Bash', input: { command } } as const;
}

const how = (toolCallId: string) => ({ toolCallId });
const APPROVED = { value: { outcome: 'approved' } };
const TWO = [
  { request: call('make a'), how: how('a') },
  { request: call('make b'), how: how('b') },
];

/** An agent of the same world whose transport differs in these methods. */
function agentWith({ agentTransport }: Pair, changes: Partial<Transport>) {
  const transport = altered(agentTransport, changes);
  const agent = connect({ transport, session: SESSION, timing: HURRY });
  onTestFinished(() => agent.close());
  return agent;
}

async function approveAll({ open, person }: Pair, count: number): Promise<void> {
  for (const { interactionId } of await open(count)) {
    await person.answer(SESSION, interactionId, { decision: 'approve' });
  }
}

describe('calls that are asked about together', () => {
  it('[INT-20, TRN-8] are one request, and each has its own outcome or error', async () => {
    const world = pair();
    await world.host.transport().createSession({ id: SESSION });
    const openAll = vi.fn<Transport['openAll']>(
      world.agentTransport.openAll.bind(world.agentTransport),
    );
    const open = vi.fn<Transport['open']>(world.agentTransport.open.bind(world.agentTransport));
    const asked = agentWith(world, { open, openAll }).askAll([
      { request: call('make a'), how: how('a') },
      { request: { kind: 'question', questions: [COLOR] }, how: how('b') },
      { request: { kind: 'question', questions: [] }, how: how('c') },
      { request: call('make d'), how: how('d') },
    ]);
    await world.open(3);
    await world.person.answer(SESSION, 'd~1', { decision: 'deny' });
    await world.person.answer(SESSION, 'b~1', { answers: { '0': 'Red' } });
    await world.person.answer(SESSION, 'a~1', { decision: 'approve' });
    const [a, b, c, d] = await asked;
    const input = { command: 'make a' };
    expect(a).toMatchObject({ value: { outcome: 'approved', updatedInput: input } });
    expect(b).toMatchObject({ value: { outcome: 'answered' } });
    expect(c).toMatchObject({
      status: 'rejected',
      reason: { code: 'invalid_request', status: 400 },
    });
    expect(d).toMatchObject({ value: { outcome: 'denied' } });
    expect(openAll).toHaveBeenCalledTimes(1);
    expect(open).not.toHaveBeenCalled();
  });

  it('[INT-20] begin a session that does not exist, and a rule or the mode may decide some', async () => {
    const world = pair();
    const asked = world.agent.askAll([...TWO, { request: call('make c') }]);
    await approveAll(world, 3);
    expect(await asked).toMatchObject([APPROVED, APPROVED, APPROVED]);
    const admin = world.host.transport();
    await admin.updateSession(SESSION, { permissionMode: 'plan' });
    const [decided] = await world.agent.askAll([{ request: call('make d') }]);
    expect(decided).toMatchObject({ value: { outcome: 'denied' } });
  });

  it('[INT-20] one whose input cannot be sent stops none of the others', async () => {
    const world = pair();
    const input = { command: () => 'make c' } as unknown as Record<string, unknown>;
    const unsendable = { kind: 'approval', toolName: 'Bash', input } as const;
    const asked = world.agent.askAll([...TWO, { request: unsendable }]);
    await approveAll(world, 2);
    expect(await asked).toMatchObject([APPROVED, APPROVED, { status: 'rejected' }]);
  });

  it.each([
    ['the batch is lost', 'unreachable', 'now'],
    ['a server knows no batches', 'method_not_allowed', 'never'],
    ['together they are too large', 'too_large', 'never'],
  ] as const)('[INT-20] where %s, each asks by itself', async (_why, code, retry) => {
    const world = pair();
    const openAll = () => Promise.reject(new ClientError({ code, retry, message: 'No' }));
    const asked = agentWith(world, { openAll }).askAll(TWO);
    await approveAll(world, 2);
    expect(await asked).toMatchObject([APPROVED, APPROVED]);
  });

  it.each([
    ['too few results', { results: [] }],
    ['no results', {}],
    ['a result of another shape', { results: [{ ok: true }, { ok: false, error: 'No' }] }],
  ])('[INT-20, TRN-6] a reply with %s is no reply of Holdpoint', (_why, reply) => {
    const read = () => readBatch({ body: reply } as unknown as HttpReply, 2);
    expect(read).toThrow(expect.objectContaining({ code: 'not_holdpoint' }));
  });

  it('[INT-20] whose reply is lost are open once', async () => {
    const world = pair();
    const { agentTransport } = world;
    const openAll: Transport['openAll'] = async (...args) => {
      await agentTransport.openAll(...args);
      throw new ClientError({ code: 'unreachable', retry: 'now', message: 'Lost' });
    };
    await world.host.transport().createSession({ id: SESSION });
    const asked = agentWith(world, { openAll }).askAll(TWO);
    await approveAll(world, 2);
    await asked;
    const { open } = await world.person.snapshot(SESSION);
    expect(open).toEqual([]);
    expect((await world.person.snapshot(SESSION)).head).toBe(9);
  });

  it('[INT-20, CAN-4] an aborted one is cancelled, and the others go on', async () => {
    const world = pair();
    const [early, late] = [new AbortController(), new AbortController()];
    early.abort();
    const asked = world.agent.askAll([
      { request: call('make a'), how: { ...how('a'), signal: early.signal } },
      { request: call('make b'), how: { ...how('b'), signal: late.signal } },
      { request: call('make c'), how: how('c') },
    ]);
    await world.open(2);
    late.abort();
    await approveAll(world, 1);
    expect(await asked).toMatchObject([
      { status: 'rejected', reason: { code: 'aborted' } },
      { status: 'rejected', reason: { code: 'aborted' } },
      { value: { outcome: 'approved' } },
    ]);
    const outcomeOf = async (id: string) => (await world.person.interaction(SESSION, id)).outcome;
    expect([await outcomeOf('b~1'), await outcomeOf('c~1')]).toEqual(['cancelled', 'approved']);
    await expect(outcomeOf('a~1')).rejects.toMatchObject({ code: 'not_found' });
  });

  it('[INT-20] are more than one request where they are more than 64, and a described call is asked about alone', async () => {
    const world = pair();
    await world.host
      .transport()
      .createSession({ id: SESSION, permissionMode: 'bypassPermissions' });
    const openAll = vi.fn<Transport['openAll']>(
      world.agentTransport.openAll.bind(world.agentTransport),
    );
    const asks = Array.from({ length: 70 }, (_, index) => ({ request: call(`make ${index}`) }));
    const described = { request: call('ls'), how: { correlate: { tool: 'Bash', command: 'ls' } } };
    const results = await agentWith(world, { openAll }).askAll([...asks, described]);
    expect(results).toHaveLength(71);
    expect(results.filter(({ status }) => status === 'rejected')).toEqual([]);
    expect(openAll.mock.calls.map(([, requests]) => requests.length)).toEqual([64, 6]);
  });
});
