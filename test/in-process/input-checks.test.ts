/**
 * A caller and a session share no object. A bug here would let a caller change an approved request after its approval,
 * without a trace in the log.
 */
import { describe, expect, it } from 'vitest';
import { digestInput } from '../../src/core/digest.ts';
import { InProcessHost } from '../../src/in-process/index.ts';
import type { Snapshot } from '../../src/protocol/types.ts';
import { settle } from './support/settle.ts';
import { approval, ask, refusal } from './support/questions.ts';

async function openHost() {
  const host = new InProcessHost();
  const holdpoint = host.transport();
  const { id } = await holdpoint.createSession({ id: 'session-1' });
  return { host, holdpoint, id };
}

describe('input and output in a process', () => {
  it('[INT-12] keeps the request when the agent changes its input afterwards', async () => {
    const { holdpoint, id } = await openHost();
    const input = { command: 'ls', list: ['a'] };
    const opening = holdpoint.open(id, approval('call-1', { input }));
    input.command = 'rm -rf /';
    input.list.push('b');
    await opening;
    const asked = await holdpoint.interaction(id, 'call-1~1');
    expect(asked.request).toEqual({ input: { command: 'ls', list: ['a'] } });
    const at = { workspace: 'main', session: id, interactionId: 'call-1~1', toolName: 'Bash' };
    expect(asked.inputDigest).toBe(digestInput(at, { command: 'ls', list: ['a'] }));
  });

  it('[INT-12, INT-20] keeps the requests of a batch when the agent changes an input afterwards', async () => {
    const { holdpoint, id } = await openHost();
    const input = { command: 'ls' };
    const opening = holdpoint.openAll(id, [approval('call-1', { input }), approval('call-2')]);
    input.command = 'rm -rf /';
    await opening;
    const asked = await holdpoint.interaction(id, 'call-1~1');
    expect(asked.request).toEqual({ input: { command: 'ls' } });
  });

  it('[INT-12] keeps its state when a caller changes a returned value', async () => {
    const { holdpoint, id } = await openHost();
    const snapshots: Snapshot[] = [];
    const spoil = (value: unknown) => {
      const record = value as { request: { input: { command: string } }; status: string };
      record.request.input.command = 'rm -rf /';
      record.status = 'settled';
    };
    const subscription = holdpoint.subscribe(id, {
      welcome: (snapshot) => snapshots.push(snapshot),
      events(events) {
        for (const { payload } of events) {
          const { request } = payload as { request?: { input: { command: string } } };
          if (request !== undefined) request.input.command = 'rm -rf /';
        }
      },
    });
    spoil(await ask(holdpoint, id));
    await settle();
    spoil((await holdpoint.snapshot(id)).open[0]);
    spoil(await holdpoint.interaction(id, 'call-1~1'));
    const [listed] = (await holdpoint.inbox()).interactions;
    spoil(listed);
    const { open } = await holdpoint.snapshot(id);
    expect(open[0]).toMatchObject({
      status: 'open',
      request: { input: { command: 'rm -rf build' } },
    });
    const { interaction } = await holdpoint.answer(id, 'call-1~1', { decision: 'approve' });
    expect(interaction.reply).toMatchObject({ updatedInput: { command: 'rm -rf build' } });
    expect(interaction.authorizedDigest).toBe(interaction.inputDigest);
    subscription.close();
  });

  it('[INT-12, LIM-1] refuses input that two programs could read differently', async () => {
    const { holdpoint, id } = await openHost();
    const cycle: Record<string, unknown> = {};
    cycle.self = cycle;
    let deep: unknown = 1;
    for (let level = 0; level < 40; level += 1) deep = [deep];
    const bad = ['\ud800', '\0', Number.NaN, -1 / 0, 12n, cycle, deep];
    for (const value of bad) {
      const error = await refusal(holdpoint.open(id, approval('call-1', { input: { value } })));
      expect(error).toMatchObject({ code: 'invalid_json', retry: 'never' });
    }
    const metadata = { value: 2 ** 60 };
    const error = await refusal(holdpoint.createSession({ metadata }));
    expect(error).toMatchObject({ code: 'invalid_json', retry: 'never' });
    expect((await holdpoint.snapshot(id)).head).toBe(1);
  });

  it('[TIME-1] refuses a deadline that is not a number, instead of ignoring it', async () => {
    const { holdpoint, id } = await openHost();
    const request = approval('call-1', { timeoutSeconds: Number.NaN });
    expect(await refusal(holdpoint.open(id, request))).toMatchObject({ code: 'invalid_json' });
  });

  it('[LIM-1] refuses bodies that are too large, and unknown fields', async () => {
    const { holdpoint, id } = await openHost();
    const input = { text: 'x'.repeat(9 * 1_024 * 1_024) };
    const large = await refusal(holdpoint.open(id, approval('call-1', { input })));
    expect(large).toMatchObject({ code: 'too_large', status: 413 });
    const unknown = await refusal(holdpoint.createSession({ colour: 'red' } as never));
    expect(unknown).toMatchObject({ code: 'invalid_request', status: 400 });
    const page = await refusal(holdpoint.sessions({ limit: 5_000 }));
    expect(page).toMatchObject({ code: 'invalid_request' });
    const key = { idempotencyKey: 'short' };
    expect(await refusal(holdpoint.clear(id, key))).toMatchObject({ code: 'invalid_request' });
    expect(await refusal(holdpoint.snapshot('../up'))).toMatchObject({ code: 'not_found' });
  });

  it('[TRN-1] accepts a call from within a listener', async () => {
    const { host, holdpoint, id } = await openHost();
    const received: string[] = [];
    const seqs: number[] = [];
    const answered = new Promise((resolve) => {
      holdpoint.subscribe(id, {
        events(events) {
          received.push(...events.map(({ type }) => type));
          if (events.some(({ type }) => type === 'interaction_request')) {
            resolve(holdpoint.approveTool(id, 'call-1'));
          }
        },
      });
    });
    // The answer is logged from within the first listener; the second must still receive the question first.
    holdpoint.subscribe(id, { events: (events) => seqs.push(...events.map(({ seq }) => seq)) });
    await settle();
    await ask(holdpoint, id);
    await answered;
    await settle();
    expect(seqs).toEqual([1, 2, 3, 4, 5]);
    expect(received).toEqual([
      'session_started',
      'interaction_pending',
      'interaction_request',
      'interaction_response',
      'interaction_pending',
    ]);
    host.close();
  });
});
