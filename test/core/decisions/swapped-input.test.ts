/**
 * An answer that names only a tool call, or nothing at all, after the question was exchanged.
 *
 * A bug here looks like a person who reads `ls`, presses Approve, and has approved `rm -rf /`: the agent
 * asked again under the same tool call between the look and the press.
 */
import { describe, expect, it } from 'vitest';
import type { Command } from '../../../src/protocol/schema/command.ts';
import {
  APPROVE,
  batchCommand,
  DENY,
  shortCommand,
  SUBMIT_ANSWERS,
} from '../../../src/core/tool-call-answers.ts';
import { agent, person } from '../../support/callers.ts';
import {
  answer,
  append,
  askApproval,
  askQuestion,
  choice,
  sendMessage,
} from '../../support/asks.ts';
import { accepted, refused } from '../../support/outcome.ts';
import { SECOND, worldAfter } from '../../support/core-world.ts';

const toolCallId = 'call-1';
const ls = askApproval({}, { input: { command: 'ls' } });
const rm = askApproval({}, { input: { command: 'rm -rf /' } });
const approve = (inputDigest?: string) => shortCommand(APPROVE, { toolCallId, inputDigest });
const cancelIt: Command = { type: 'interaction.cancel', interactionId: 'call-1~1' };
const STAGING = askQuestion({}, [choice('Drop the staging table?', ['Yes', 'No'])]);
const PRODUCTION = askQuestion({}, [choice('Drop the production table?', ['Yes', 'No'])]);

describe('an answer by tool call', () => {
  it.each([
    ['approve', approve()],
    ['deny', shortCommand(DENY, { toolCallId })],
    ['one of a batch', batchCommand({ toolCallId, answer: { decision: 'approve' } })],
  ])(
    '[INT-12] %s is refused after the input was replaced, with the present digest',
    (_name, plain) => {
      const world = worldAfter(ls, rm);
      const { inputDigest } = world.record('call-1~2');
      expect(refused(world.run(plain))).toMatchObject({
        code: 'input_changed',
        details: { interactionId: 'call-1~2', inputDigest },
      });
      expect(world.record('call-1~2').status).toBe('open');
    },
  );

  it('[INT-12] answers to a question are refused alike', () => {
    const world = worldAfter(STAGING, PRODUCTION);
    const yes = { toolCallId, answers: { '0': 'Yes' } };
    expect(refused(world.run(shortCommand(SUBMIT_ANSWERS, yes))).code).toBe('input_changed');
    const { inputDigest } = world.record('call-1~2');
    accepted(world.run(shortCommand(SUBMIT_ANSWERS, { ...yes, inputDigest })));
    expect(world.record('call-1~2').outcome).toBe('answered');
  });

  it('[INT-12] counts with the digest of the current request, and not with an earlier digest', () => {
    const world = worldAfter(ls, rm);
    const [before, now] = ['call-1~1', 'call-1~2'].map((id) => world.record(id).inputDigest);
    expect(refused(world.run(approve(before))).code).toBe('input_changed');
    accepted(world.run(approve(now)));
    expect(world.record('call-1~2').outcome).toBe('approved');
  });

  it('[INT-12] takes the digest of a batch beside the answer or in it', () => {
    for (const inBoth of [false, true]) {
      const world = worldAfter(ls, rm);
      const { inputDigest } = world.record('call-1~2');
      const given = inBoth
        ? { answer: { decision: 'approve', inputDigest } }
        : { inputDigest, answer: { decision: 'approve' } };
      accepted(world.run(batchCommand({ toolCallId, ...given })));
    }
  });

  it.each([
    ['its agent withdrew', cancelIt],
    ['ended with a result', append({ type: 'tool_result', toolCallId, payload: { output: '' } })],
  ])('[INT-12] is refused for the successor of an interaction that %s', (_name, end) => {
    const world = worldAfter(ls);
    accepted(world.run(end, { caller: agent() }));
    accepted(world.run(rm));
    expect(refused(world.run(approve())).code).toBe('input_changed');
    // Nor does a second withdrawal make it the request that the person saw.
    accepted(world.run({ ...cancelIt, interactionId: 'call-1~2' }, { caller: agent() }));
    accepted(world.run({ ...rm, common: { ...rm.common, reopen: true } }));
    expect(refused(world.run(approve())).code).toBe('input_changed');
  });

  it('[INT-12] is refused for the successor of an expired interaction', () => {
    const world = worldAfter(askApproval({ timeoutSeconds: 1 }, { input: { command: 'ls' } }));
    world.advance(2 * SECOND);
    accepted(world.run(rm));
    expect(refused(world.run(approve())).code).toBe('input_changed');
  });

  it('[INT-12, API-1] needs no digest where no request was replaced', () => {
    const reopened = worldAfter(ls, cancelIt, { ...ls, common: { ...ls.common, reopen: true } });
    accepted(reopened.run(approve()));
    // A decision of a person ends the request for every caller; the next request is new.
    const decided = worldAfter(ls, answer('call-1~1', { decision: 'deny' }), rm);
    accepted(decided.run(approve()));
    expect(decided.record('call-1~2').outcome).toBe('approved');
  });

  it('[INT-12] by interaction id needs no digest', () => {
    const world = worldAfter(ls, rm);
    expect(refused(world.run(answer('call-1~1', { decision: 'approve' }))).code).toBe(
      'already_settled',
    );
    accepted(world.run(answer('call-1~2', { decision: 'approve' })));
  });
});

describe('text that names nothing', () => {
  it('[TXT-2, INT-12] does not answer a question that has just taken the place of another', () => {
    const world = worldAfter(STAGING, PRODUCTION);
    const { inputDigest } = world.record('call-1~2');
    expect(refused(world.run(sendMessage('Yes')))).toMatchObject({
      code: 'input_changed',
      details: { interactionId: 'call-1~2', inputDigest },
    });
    world.advance(10 * SECOND);
    accepted(world.run(sendMessage('Yes')));
    expect(world.record('call-1~2')).toMatchObject({
      outcome: 'answered',
      answers: { '0': 'Yes' },
    });
  });

  it('[TXT-2] answers it at once with replyTo, and an original question without', () => {
    const named = worldAfter(STAGING, PRODUCTION);
    accepted(named.run(sendMessage('Yes', 'call-1~2')));
    const first = worldAfter(STAGING);
    accepted(first.run(sendMessage('Yes'), { caller: person() }));
    expect(first.record('call-1~1').outcome).toBe('answered');
  });
});
