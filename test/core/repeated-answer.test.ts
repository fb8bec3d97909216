/**
 * A late answer that is the caller's own: the first one counted, and only its reply was lost.
 *
 * A bug here looks like a person whose own approval appears as another person's, or, worse, like a person who
 * sees an approval as counted although another person's denial reached the agent.
 */
import { expect, it } from 'vitest';
import type { Command } from '../../src/protocol/schema/command.ts';
import type { JsonObject } from '../../src/protocol/json.ts';
import {
  answer,
  answerCall,
  askApproval,
  askForm,
  askPlan,
  askQuestion,
  COLOR,
  NOTE,
  sendMessage,
  SIZES,
} from '../support/asks.ts';
import { person } from '../support/callers.ts';
import { accepted, refused } from '../support/outcome.ts';
import { worldAfter } from '../support/core-world.ts';

const ID = 'call-1~1';
const editable = askApproval({}, { allowEdit: true, offers: ['once', 'session'] });
const edited = { command: 'rm -rf build/tmp' };
const by = (given: JsonObject) => answer(ID, given);

const GIVEN: readonly [string, Command, Command][] = [
  ['an approval', askApproval(), by({ decision: 'approve' })],
  ['a denial with its reason', askApproval(), by({ decision: 'deny', reason: ' no ' })],
  ['an edit', editable, by({ decision: 'approve', updatedInput: edited })],
  [
    'an approval for the session',
    editable,
    by({ decision: 'approve', offer: 'session', everyCommand: true }),
  ],
  ['an approval by tool call', askApproval(), answerCall('call-1', { decision: 'approve' })],
  ['answers', askQuestion(), by({ answers: { '0': ' Red ' } })],
  ['several choices', askQuestion({}, [SIZES]), by({ answers: { '0': '["S","L"]' } })],
  ['the only step', askQuestion(), by({ question: 0, option: 1 })],
  ['a refusal to answer', askQuestion(), by({ decline: true, reason: 'later' })],
  ['an approved plan', askPlan(), by({ decision: 'edit' })],
  ['a plan sent back', askPlan(), by({ decision: 'adjust', feedback: 'Shorter' })],
  ['values', askForm(), by({ values: { host: 'a', port: 80 } })],
  ['text to a question', askQuestion(), sendMessage('green', ID)],
  ['text to a form', askForm({}, NOTE), sendMessage('hello', ID)],
  ['text to an approval', askApproval(), sendMessage('yes', ID)],
  ['a cancel', askApproval(), { type: 'interaction.cancel', interactionId: ID }],
];

it.each(GIVEN)('[TRN-3] recognizes %s', (_name, ask, given) => {
  const world = worldAfter(ask);
  const before = accepted(world.run(given)).events.length;
  expect(before).toBeGreaterThan(0);
  const { head } = world.live;
  expect(refused(world.run(given))).toMatchObject({
    code: 'already_settled',
    details: { interactionId: ID, yours: true },
  });
  expect(world.live.head).toBe(head);
});

it.each(GIVEN)('[TRN-3] does not mistake %s of another caller for it', (_name, ask, given) => {
  const world = worldAfter(ask, given);
  const late = refused(world.run(given, { caller: { ...person(), subject: 'mallory' } }));
  expect(late.code).toBe('already_settled');
  expect(late.details).not.toHaveProperty('yours');
});

it.each<[string, Command, JsonObject, JsonObject]>([
  ['the other decision', askApproval(), { decision: 'approve' }, { decision: 'deny' }],
  ['another reason', askApproval(), { decision: 'deny' }, { decision: 'deny', reason: 'no' }],
  ['an edit', editable, { decision: 'approve' }, { decision: 'approve', updatedInput: edited }],
  [
    'the session',
    editable,
    { decision: 'approve' },
    { decision: 'approve', offer: 'session', everyCommand: true },
  ],
  ['another answer', askQuestion(), { answers: { '0': 'Red' } }, { answers: { '0': 'Blue' } }],
  ['another plan decision', askPlan(), { decision: 'edit' }, { decision: 'default' }],
  ['other values', askForm(), { values: { host: 'a' } }, { values: { host: 'b' } }],
  ['an answer to another kind', askForm(), { values: { host: 'a' } }, { decision: 'approve' }],
])('[TRN-3] does not take %s of the same person for it', (_name, ask, first, second) => {
  const world = worldAfter(ask, by(first));
  expect(refused(world.run(by(second))).details).not.toHaveProperty('yours');
});

it('[TRN-3, QST-4] recognizes the last step of several', () => {
  const last = by({ question: 1, options: [0, 2] });
  const world = worldAfter(askQuestion({}, [COLOR, SIZES]), by({ question: 0, option: 1 }), last);
  expect(refused(world.run(last)).details).toMatchObject({ yours: true });
  const other = by({ question: 1, options: [0] });
  expect(refused(world.run(other)).details).not.toHaveProperty('yours');
});

it('[TRN-3] belongs to no caller where time or a reprompt ended it', () => {
  const world = worldAfter(askApproval(), askApproval({}, { input: { command: 'ls' } }));
  const late = refused(world.run(by({ decision: 'approve' })));
  expect(late.details).toMatchObject({ outcome: 'superseded', replacedBy: 'call-1~2' });
  expect(late.details).not.toHaveProperty('yours');
});
