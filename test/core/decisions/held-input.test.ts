/**
 * An approval of an input that is too large for its record. A bug here would approve what no person was asked about, run a
 * view in the place of the input, or take the answer to one input for another.
 */
import { describe, expect, it } from 'vitest';
import { digestHeldRule } from '../../../src/core/digest.ts';
import type { JsonObject } from '../../../src/protocol/json.ts';
import { LIMITS } from '../../../src/protocol/limits.ts';
import type { OpenCommon } from '../../../src/protocol/schema/interaction.ts';
import { answer, askApproval, askPlan, askQuestion, sendMessage } from '../../support/asks.ts';
import { person, system } from '../../support/callers.ts';
import { type CoreWorld, startedWorld } from '../../support/core-world.ts';
import { accepted, idOf, outcomeOf, payloadOf, refused } from '../../support/outcome.ts';

const ID = 'call-1~1';
const AROUND = 'x'.repeat(140_000);
const file = (middle: string): JsonObject => ({
  file_path: 'a.txt',
  content: AROUND + middle + AROUND,
});

function askLarge(middle = 'middle', request: JsonObject = {}, common: Partial<OpenCommon> = {}) {
  const input = file(middle);
  return { ...askApproval(common, { input, ...request }), mayHold: true };
}

function asked(request: JsonObject = {}): CoreWorld {
  const world = startedWorld();
  accepted(world.run(askLarge('middle', request)));
  return world;
}

describe('[INT-17] asking about a large input', () => {
  it('stores a view in the record and in the log, with the digest of the whole', () => {
    const world = asked({ allowEdit: true, description: 'why' });
    const { request, wholeInput } = world.record(ID);
    expect(request).toMatchObject({ description: 'why', input: { file_path: 'a.txt' } });
    expect(request).not.toHaveProperty('allowEdit');
    expect(wholeInput).toMatchObject({ hiddenChars: expect.any(Number) as number });
    expect(JSON.stringify(world.log).length).toBeLessThan(2 * LIMITS.inputViewBytes);
  });

  it('is repeated by the same input, and replaced by one with another middle', () => {
    const world = asked();
    expect(accepted(world.run(askLarge())).events).toEqual([]);
    const { requestDigest, inputDigest } = world.record(ID);
    expect(idOf(world.run(askLarge('malice')))).toBe('call-1~2');
    const next = world.record('call-1~2');
    expect(next.request).toEqual(world.record(ID).request);
    expect(next.requestDigest).not.toBe(requestDigest);
    expect(next.inputDigest).not.toBe(inputDigest);
    expect(world.record(ID).outcome).toBe('superseded');
  });

  it('is another request with another right to edit, as a small one is', () => {
    const world = asked();
    expect(idOf(world.run(askLarge('middle', { allowEdit: true })))).toBe('call-1~2');
  });

  it('is refused over 8 MiB, and where the rest of the request is too large', () => {
    const most = { content: 'y'.repeat(LIMITS.wholeInputBytes - '{"content":""}'.length) };
    const fits = { ...askApproval({}, { input: most }), mayHold: true };
    expect(startedWorld().run(fits).ok).toBe(true);
    const over = { ...fits, request: { input: { content: `${most.content}y` } } };
    expect(refused(startedWorld().run(over))).toMatchObject({ code: 'too_large' });
    const wide = {
      description: 'z'.repeat(32_000),
      inputSchema: { $comment: 'z'.repeat(300_000) },
    };
    expect(refused(startedWorld().run(askLarge('m', wide)))).toMatchObject({ code: 'too_large' });
  });

  it('is for approvals alone', () => {
    const long = 'w'.repeat(1_900);
    const options = Array.from({ length: 12 }, (_, at) => ({
      label: `${at}`,
      preview: 'p'.repeat(30_000),
      description: long,
    }));
    const question = { ...askQuestion({}, [{ question: 'Which?', options }]), mayHold: true };
    expect(outcomeOf(startedWorld().run(question))).toBe('too_large');
    expect(startedWorld().run({ ...askPlan(), mayHold: true }).ok).toBe(true);
  });

  it('is decided by the mode without a copy of the input', () => {
    const world = startedWorld();
    const change = { type: 'session.update', changes: { permissionMode: 'bypassPermissions' } };
    accepted(world.run(change as never, { caller: system }));
    const decided = accepted(world.run(askLarge()));
    expect(decided.reply).toMatchObject({
      type: 'gate',
      decision: { behavior: 'allow', wholeInput: { bytes: expect.any(Number) as number } },
    });
    expect(decided.reply).not.toHaveProperty('decision.updatedInput');
    expect(payloadOf(decided, 'tool_call')).toMatchObject({ wholeInput: { bytes: 280_040 } });
    expect(JSON.stringify(decided.events).length).toBeLessThan(2 * LIMITS.inputViewBytes);
  });
});

describe('[INT-17] answering about a large input', () => {
  it.each(['whole', 'part'] as const)('approves once the person says it read the %s', (read) => {
    const world = asked();
    accepted(world.run(answer(ID, { decision: 'approve', read })));
    const record = world.record(ID);
    expect(record).toMatchObject({ outcome: 'approved', decision: { decision: 'approve', read } });
    expect(record).not.toHaveProperty('updatedInput');
    expect(record.authorizedDigest).toBe(record.inputDigest);
    const { wholeInput } = record;
    expect(world.agentReply(ID)).toEqual({ behavior: 'allow', wholeInput });
  });

  it('approves nothing without these words, nor by a word in the chat', () => {
    const world = asked({ choices: [{ id: 'yes', label: 'Go', decision: 'approve' }] });
    for (const given of [{ decision: 'approve' }, { choice: 'yes' }]) {
      expect(refused(world.run(answer(ID, given))).code).toMatch(/invalid_answer|not_offered/);
    }
    expect(outcomeOf(world.run(sendMessage('Go', ID)))).toBe('text_not_an_answer');
    expect(world.record(ID).status).toBe('open');
    accepted(world.run(answer(ID, { choice: 'yes', read: 'part' })));
    expect(world.record(ID)).toMatchObject({ decision: { choice: 'yes', read: 'part' } });
  });

  it('denies without them, also by a word', () => {
    const world = asked();
    accepted(world.run(sendMessage('no', ID), { caller: person() }));
    expect(world.record(ID).outcome).toBe('denied');
    const other = asked();
    expect(outcomeOf(other.run(answer(ID, { decision: 'deny', read: 'part' })))).toBe(
      'invalid_answer',
    );
    accepted(other.run(answer(ID, { decision: 'deny', reason: 'too much' })));
    expect(other.record(ID)).toMatchObject({ outcome: 'denied', reason: 'too much' });
  });

  it('takes no edit, whatever the request allowed', () => {
    const world = asked({ allowEdit: true });
    const edit = { decision: 'approve', read: 'whole', updatedInput: { file_path: 'b' } };
    expect(outcomeOf(world.run(answer(ID, edit)))).toBe('not_offered');
  });

  it('says nothing of reading where the input is shown whole', () => {
    const world = startedWorld();
    world.run(askApproval());
    const given = { decision: 'approve', read: 'whole' };
    expect(outcomeOf(world.run(answer(ID, given)))).toBe('invalid_answer');
  });

  it('keeps a rule for exactly this input, which fits no other middle', () => {
    const world = asked({ offers: ['once', 'session'] });
    const given = { decision: 'approve', read: 'part', offer: 'session', exact: true };
    accepted(world.run(answer(ID, given)));
    const sha256 = world.record(ID).wholeInput?.sha256 ?? '';
    expect(world.live.rules).toMatchObject([{ inputDigest: digestHeldRule('Bash', sha256) }]);
    const again = askLarge('middle', {}, { toolCallId: 'call-2' });
    expect(accepted(world.run(again)).reply).toMatchObject({
      type: 'gate',
      decision: { behavior: 'allow', wholeInput: { sha256 } },
    });
    const other = askLarge('malice', {}, { toolCallId: 'call-3' });
    expect(accepted(world.run(other)).reply.type).toBe('interaction');
  });

  it('sent again, says that it was this answer', () => {
    const world = asked();
    const given = answer(ID, { decision: 'approve', read: 'part' });
    accepted(world.run(given));
    expect(refused(world.run(given)).details).toMatchObject({ yours: true });
  });
});
