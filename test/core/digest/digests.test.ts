/**
 * A digest ties an answer to the input on the screen. A bug would look like an approval of one input that
 * lets another input run, or two different calls with the same digest.
 */
import { describe, expect, it } from 'vitest';
import { digestInput, digestRequest, digestRule } from '../../../src/core/digest.ts';
import {
  answer,
  askApproval,
  askForm,
  askPlan,
  askQuestion,
  COMMAND,
  NOTE,
  SIZES,
} from '../../support/asks.ts';
import { startedWorld, worldAfter } from '../../support/core-world.ts';
import { payloadOf, refused } from '../../support/outcome.ts';

const AT = { workspace: 'acme', session: 'session-1', interactionId: 'call-1~1', toolName: 'Bash' };

describe('the input digest', () => {
  it('[INT-12] is that of the exact input, at its place', () => {
    const world = worldAfter(askApproval());
    expect(world.record('call-1~1').inputDigest).toBe(digestInput(AT, COMMAND));
  });

  it.each([
    ['workspace', { ...AT, workspace: 'acme2' }],
    ['session', { ...AT, session: 'session-2' }],
    ['interaction', { ...AT, interactionId: 'call-1~2' }],
    ['tool', { ...AT, toolName: 'bash' }],
    [
      'letters moved between workspace and session',
      { ...AT, workspace: 'acm', session: 'esession-1' },
    ],
  ])('[INT-12] differs with another %s', (_what, at) => {
    expect(digestInput(at, COMMAND)).not.toBe(digestInput(AT, COMMAND));
  });

  it('[INT-12] differs with input that only looks the same', () => {
    expect(digestInput(AT, { command: 'rm -rf build\u200b' })).not.toBe(digestInput(AT, COMMAND));
  });

  it('[INT-12] has 256 bits, in hexadecimal', () => {
    expect(digestInput(AT, {})).toMatch(/^[0-9a-f]{64}$/);
  });
});

describe('an answer with a digest', () => {
  it('[INT-12] counts when the digest is that of the shown input', () => {
    const world = worldAfter(askApproval());
    const { inputDigest } = world.record('call-1~1');
    world.run(answer('call-1~1', { decision: 'approve', inputDigest }));
    expect(world.record('call-1~1').outcome).toBe('approved');
  });

  const other = askApproval({}, { input: { command: 'rm -rf /' } });
  it.each([
    ['approval', askApproval(), other, { decision: 'approve' }],
    ['plan', askPlan(), askPlan({}, 'Leap first'), { decision: 'edit' }],
    ['question', askQuestion(), askQuestion({}, [SIZES]), { answers: { '0': ['S'] } }],
    ['form', askForm(), askForm({}, NOTE), { values: { note: 'x' } }],
  ])('[INT-12] is refused for a %s that was replaced since', (_what, first, second, given) => {
    const world = worldAfter(first);
    const { inputDigest } = world.record('call-1~1');
    world.run(second);
    const now = world.record('call-1~2').inputDigest;
    const target = { toolCallId: 'call-1' };
    const late = world.run({
      type: 'interaction.answer',
      target,
      answer: { ...given, inputDigest },
    });
    expect(refused(late)).toMatchObject({ code: 'input_changed', details: { inputDigest: now } });
    expect(world.record('call-1~2').status).toBe('open');
  });

  it('[INT-12] is refused even to deny: the person saw another input', () => {
    const world = worldAfter(askApproval());
    const denied = world.run(answer('call-1~1', { decision: 'deny', inputDigest: 'f'.repeat(64) }));
    expect(refused(denied).code).toBe('input_changed');
  });
});

describe('the digest of the authorized input', () => {
  it('[INT-12] is that of the shown input when the person did not edit it', () => {
    const world = worldAfter(askApproval());
    const decided = world.run(answer('call-1~1', { decision: 'approve' }));
    const { authorizedDigest } = payloadOf(decided, 'interaction_response');
    expect(authorizedDigest).toBe(world.record('call-1~1').inputDigest);
  });

  it('[INT-12] is that of the edited input after an edit', () => {
    const world = worldAfter(askApproval({}, { allowEdit: true }));
    const updatedInput = { command: 'rm -r build/tmp' };
    world.run(answer('call-1~1', { decision: 'approve', updatedInput }));
    const record = world.record('call-1~1');
    expect(record.authorizedDigest).toBe(digestInput(AT, updatedInput));
    expect(record.authorizedDigest).not.toBe(record.inputDigest);
  });

  it('[INT-12] is missing after a denial', () => {
    const world = startedWorld();
    world.run(askApproval());
    world.run(answer('call-1~1', { decision: 'deny' }));
    expect(world.record('call-1~1')).not.toHaveProperty('authorizedDigest');
  });
});

describe('the other digests', () => {
  it('[INT-5] the request digest covers kind, tool and request', () => {
    const one = digestRequest('approval', 'Bash', { input: {} });
    expect(digestRequest('question', 'Bash', { input: {} })).not.toBe(one);
    expect(digestRequest('approval', 'Zsh', { input: {} })).not.toBe(one);
    expect(digestRequest('approval', 'Bash', { input: { a: null } })).not.toBe(one);
    expect(digestRequest('approval', 'Bash', { input: {} })).toBe(one);
  });

  it('[APR-3] the digest of a rule is the same at every place of a session', () => {
    expect(digestRule('Bash', { b: 1, a: 2 })).toBe(digestRule('Bash', { a: 2, b: 1 }));
    expect(digestRule('Bash', { a: 2 })).not.toBe(digestRule('Bash', { a: '2' }));
  });
});
