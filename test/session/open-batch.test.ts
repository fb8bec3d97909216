/**
 * A batch of openings in a session: one commit, one report, one idempotency key. A bug would look like a repeat that asks
 * twice, an input that is stored under another request, or a batch of which a full disk keeps half.
 */
import { describe, expect, it } from 'vitest';
import { openBatchCommand } from '../../src/protocol/schema/command.ts';
import { LIMITS } from '../../src/protocol/limits.ts';
import type { JsonObject } from '../../src/protocol/json.ts';
import type { Commit } from '../../src/session/ports.ts';
import { answer } from '../support/asks.ts';
import { agent } from '../support/callers.ts';
import { SqliteStorage, startedSession } from '../support/session-storage.ts';
import { SessionWorld } from '../support/session-world.ts';

const KEY = { key: 'key-00001' };

function approval(toolCallId: string, more: JsonObject = {}): JsonObject {
  const input = { command: `make ${toolCallId}` };
  return { kind: 'approval', toolName: 'Bash', toolCallId, input, ...more };
}

function batchOf(...requests: JsonObject[]) {
  return openBatchCommand({ requests });
}

const FULL = batchOf(
  ...Array.from({ length: LIMITS.openingsPerBatch }, (_, index) => approval(`call-${index}`)),
);

interface BatchBody {
  readonly results: readonly {
    readonly ok: boolean;
    readonly interaction?: { readonly interactionId: string; readonly status: string };
    readonly error?: { readonly code: string; readonly message: string };
  }[];
}

function resultsOf(body: object): BatchBody['results'] {
  return (body as BatchBody).results;
}

async function countingWorld() {
  const world = await startedSession();
  await world.quiet();
  const commits: Commit[] = [];
  world.beforeCommit = (commit) => void commits.push(commit);
  return { world, commits };
}

describe('a batch', () => {
  it('[INT-20, LOG-3] of 64 openings is one commit with one log row, and one report', async () => {
    const { world, commits } = await countingWorld();
    const reports = world.workspace.reports.length;
    const { body } = world.must(FULL);
    await world.quiet();
    expect(resultsOf(body).map((one) => one.interaction?.status)).toEqual(
      Array.from({ length: 64 }, () => 'open'),
    );
    expect(commits).toHaveLength(1);
    expect(commits[0]?.records).toHaveLength(64);
    expect(world.workspace.reports.length - reports).toBe(1);
    expect(world.workspace.open.size).toBe(64);
  });

  it('[INT-20, API-2] has one key: a repeat asks nothing, and shows each request as it is now', async () => {
    const { world, commits } = await countingWorld();
    const command = batchOf(approval('call-1'), { kind: 'approval' }, approval('call-2'));
    const first = world.must(command, KEY);
    world.must(answer('call-1~1', { decision: 'approve' }));
    const { length } = commits;
    world.restart();
    const second = world.must(command, KEY);
    expect(second).toMatchObject({ replayed: true, reply: first.reply });
    expect(resultsOf(second.body)).toMatchObject([
      { ok: true, interaction: { interactionId: 'call-1~1', status: 'settled' } },
      { ok: false, error: { code: 'invalid_request' } },
      { ok: true, interaction: { interactionId: 'call-2~1', status: 'open' } },
    ]);
    expect(commits).toHaveLength(length);
    const other = world.handle(batchOf(approval('call-3')), KEY);
    expect(other).toMatchObject({ ok: false, code: 'idempotency_key_reused' });
  });

  it('[INT-20, API-2] in which all is refused gives the same refusals to a repeat', async () => {
    const { toolCallId: _, ...unnamed } = approval('call-2');
    const described = { ...unnamed, correlate: { tool: 'Bash', command: 'ls' } };
    const { world, commits } = await countingWorld();
    const command = batchOf({ kind: 'approval' }, described);
    const first = world.must(command, KEY);
    expect(resultsOf(first.body).map((one) => one.error?.code)).toEqual([
      'invalid_request',
      'invalid_request',
    ]);
    expect(resultsOf(first.body)[1]?.error?.message).toContain('does not wait for tool calls');
    expect(world.must(command, KEY)).toMatchObject({ replayed: true, body: first.body });
    expect(commits).toHaveLength(0);
  });

  it('[INT-20, INT-17] keeps each large input with its own request', async () => {
    const world = await startedSession();
    const text = (letter: string) => letter.repeat(LIMITS.bodyBytes);
    const large = (call: string, letter: string) =>
      approval(call, { input: { text: text(letter) } });
    world.must(batchOf(large('call-1', 'a'), approval('call-2'), large('call-3', 'b')));
    const { heldInputs } = world.store;
    expect(heldInputs.part('call-1~1', 0)).toBe(JSON.stringify({ text: text('a') }));
    expect(heldInputs.part('call-2~1', 0)).toBe(undefined);
    expect(heldInputs.part('call-3~1', 0)).toBe(JSON.stringify({ text: text('b') }));
  });

  it('[INT-20] that asks twice about one call is written, without the second request', async () => {
    const world = await startedSession();
    const other = { input: { command: 'make other' } };
    const twice = batchOf(approval('call-1'), approval('call-1', other), approval('call-2'));
    const { body } = world.must(twice);
    expect(resultsOf(body).map((one) => one.error?.code ?? one.interaction?.interactionId)).toEqual(
      ['call-1~1', 'invalid_request', 'call-2~1'],
    );
    world.restart();
    expect([...(world.state?.open.keys() ?? [])]).toEqual(['call-1~1', 'call-2~1']);
  });

  it('[INT-20, LOG-8] that cannot be written leaves nothing, and its repeat asks all', async () => {
    const world = await startedSession();
    const log = world.log();
    world.beforeCommit = () => {
      throw new Error('The disk is full');
    };
    expect(world.handle(FULL, KEY)).toMatchObject({ ok: false, code: 'write_failed' });
    expect(world.log()).toEqual(log);
    expect(world.state?.open.size).toBe(0);
    world.beforeCommit = () => undefined;
    expect(world.must(FULL, KEY).replayed).toBe(false);
    expect(world.state?.open.size).toBe(64);
  });

  it('[INT-20, INT-16] hands a repeated agent the outcomes that it asked for', async () => {
    const world = await startedSession();
    const command = batchOf(approval('call-1'), approval('call-2'));
    world.must(command);
    world.must(answer('call-2~1', { decision: 'approve' }));
    world.now += 5;
    world.must(command);
    expect(world.store.record('call-2', 1)).toMatchObject({ deliveredAt: world.now });
  });

  it('[INT-20, INT-16] whose outcomes are awaited in turn has an agent that waits for all of them', async () => {
    const world = await startedSession();
    const caller = agent();
    world.must(batchOf(approval('call-1'), approval('call-2')), { caller });
    world.now += 1;
    world.must(batchOf(approval('call-3')), { caller });
    const openedAt = world.now - 1;
    world.attach({
      to: 'outcome',
      interactionId: 'call-1~1',
      caller,
      attachment: {
        role: 'waiter',
        interactionId: 'call-1~1',
        openedAt,
        until: world.now + 10_000,
        agent: true,
        root: caller.credential,
        chain: [caller.credential],
      },
    });
    const waits = [...(world.state?.open.values() ?? [])].map((one) =>
      world.session.isAgentWaiting(one),
    );
    expect(waits).toEqual([true, true, false]);
  });

  it('[INT-20, LOG-12] in a session that does not exist is one refusal', () => {
    const world = new SessionWorld(new SqliteStorage());
    expect(world.handle(FULL)).toMatchObject({ ok: false, code: 'not_found' });
  });
});
