/**
 * Every state against every command, written out. A new state or command does not compile here without an
 * expected result. A bug would look like an event too many, an unexpected refusal, or the same events in
 * another order. The file is long because the table has a cell for every state and command.
 */
import { describe, expect, it } from 'vitest';
import type { Command, CommandType } from '../../src/protocol/schema/command.ts';
import type { ErrorCode } from '../../src/protocol/errors.ts';
import type { EventType } from '../../src/protocol/schema/event.ts';
import {
  answer,
  append,
  askApproval,
  askLink,
  askPlan,
  askQuestion,
  COLOR,
  sendMessage,
  SIZES,
} from '../support/asks.ts';
import { admin } from '../support/callers.ts';
import { CoreWorld, MINUTE, startedWorld, worldAfter } from '../support/core-world.ts';
import { outcomeOf } from '../support/outcome.ts';

type StateKind =
  | 'absent'
  | 'idle'
  | 'turnRunning'
  | 'approvalOpen'
  | 'questionMidway'
  | 'planAwaitingFeedback'
  | 'linkOpened'
  | 'queuedText'
  | 'oneOfTwoVotes'
  | 'settledOnly'
  | 'deleted';

/** The types of the events in order, or the code of the refusal. */
type Expected = readonly EventType[] | ErrorCode;

/** Each puts its subject on the tool call `call-1`, so that one command fits all. */
const STATES: Record<StateKind, () => CoreWorld> = {
  absent: () => new CoreWorld(),
  idle: () => startedWorld(),
  turnRunning: () => worldAfter(append({ type: 'turn_started', turnId: 'turn-1', payload: {} })),
  approvalOpen: () => worldAfter(askApproval()),
  questionMidway: () =>
    worldAfter(askQuestion({}, [COLOR, SIZES]), answer('call-1~1', { question: 0, option: 1 })),
  planAwaitingFeedback: () => worldAfter(askPlan(), answer('call-1~1', { decision: 'adjust' })),
  linkOpened: () =>
    worldAfter(
      askLink({ timeoutSeconds: 600 }, { awaitCompletion: true }),
      answer('call-1~1', { opened: true }),
    ),
  queuedText: () => worldAfter(askApproval(), sendMessage('And then rest.')),
  oneOfTwoVotes: () =>
    worldAfter(
      askApproval({ quorum: { approvals: 2 } }),
      answer('call-1~1', { decision: 'approve' }),
    ),
  settledOnly: () =>
    worldAfter(
      askApproval({}, { offers: ['once', 'session'] }),
      answer('call-1~1', { decision: 'approve', offer: 'session', everyCommand: true }),
    ),
  deleted: () => worldAfter(askApproval(), { type: 'session.delete' }),
};

const ANSWERS: Partial<Record<StateKind, Parameters<typeof answer>[1]>> = {
  questionMidway: { question: 1, options: [0, 2] },
  planAwaitingFeedback: { decision: 'adjust', feedback: 'Shorter.' },
  linkOpened: { done: true },
};

const COMMANDS: Record<CommandType, (world: CoreWorld, kind: StateKind) => Command> = {
  'session.create': () => ({ type: 'session.create' }),
  'session.update': () => ({ type: 'session.update', changes: { title: 'Cleaning up' } }),
  'session.delete': () => ({ type: 'session.delete' }),
  'session.clear': () => ({ type: 'session.clear' }),
  'turn.interrupt': () => ({ type: 'turn.interrupt' }),
  'turn.retry': () => ({ type: 'turn.retry' }),
  'message.send': () => sendMessage('Green'),
  'message.remove': ({ state }) => ({
    type: 'message.remove',
    messageId: state?.info.queued[0]?.id ?? 'none',
  }),
  'tool.result': () => ({
    type: 'tool.result',
    toolCallId: 'call-1',
    output: 'done',
    isError: false,
  }),
  'cli.map': () => ({ type: 'cli.map', cli: { provider: 'codex', cliSessionId: 'one' } }),
  'history.import': () => ({
    type: 'history.import',
    provider: 'codex',
    cliSessionId: 'one',
    entries: 1,
    digest: '',
    rev: 1,
  }),
  'events.append': () =>
    append({ type: 'tool_result', toolCallId: 'call-1', payload: { output: 'done' } }),
  'interaction.open': () => askQuestion({ toolCallId: 'call-2' }),
  'interactions.open': () => ({
    type: 'interactions.open',
    openings: [askQuestion({ toolCallId: 'call-2' })],
  }),
  'interaction.answer': (_world, kind) =>
    answer('call-1~1', ANSWERS[kind] ?? { decision: 'approve' }),
  'interaction.cancel': () => ({ type: 'interaction.cancel', interactionId: 'call-1~1' }),
  'interactions.cancel': () => ({ type: 'interactions.cancel' }),
  'interaction.complete': () => ({ type: 'interaction.complete', interactionId: 'call-1~1' }),
  'interaction.extend': () => ({ type: 'interaction.extend', interactionId: 'call-1~1' }),
  'interaction.undo': () => ({ type: 'interaction.undo', interactionId: 'call-1~1' }),
  'interaction.withdraw': () => ({ type: 'interaction.withdraw', interactionId: 'call-1~1' }),
  'interaction.claim': () => ({ type: 'interaction.claim', interactionId: 'call-1~1' }),
  'interaction.handover': () => ({
    type: 'interaction.handover',
    interactionId: 'call-1~1',
    audience: { subjects: ['bob'] },
  }),
  'rule.add': () => ({ type: 'rule.add', rule: { effect: 'deny', toolName: 'Bash' } }),
  'rule.revoke': ({ state }) => ({ type: 'rule.revoke', ruleId: state?.rules[0]?.id ?? 'none' }),
  'deadlines.run': (world) => {
    world.now += 60 * MINUTE;
    return { type: 'deadlines.run' };
  },
};

const SETTLED: Expected = ['interaction_response', 'interaction_pending'];
const OPENED: Expected = ['interaction_pending', 'interaction_request'];
const DRAINED: Expected = [...SETTLED, 'session_updated', 'user_message'];

const MISSING: Record<CommandType, Expected> = {
  'session.create': ['session_started'],
  'session.update': 'not_found',
  'session.delete': 'not_found',
  'session.clear': 'not_found',
  'turn.interrupt': 'not_found',
  'turn.retry': 'not_found',
  'message.send': 'not_found',
  'message.remove': 'not_found',
  'tool.result': 'not_found',
  'events.append': 'not_found',
  'cli.map': 'not_found',
  'history.import': 'not_found',
  'interaction.open': 'not_found',
  'interactions.open': 'not_found',
  'interaction.answer': 'not_found',
  'interaction.cancel': 'not_found',
  'interactions.cancel': 'not_found',
  'interaction.complete': 'not_found',
  'interaction.extend': 'not_found',
  'interaction.undo': 'not_found',
  'interaction.withdraw': 'not_found',
  'interaction.claim': 'not_found',
  'interaction.handover': 'not_found',
  'rule.add': 'not_found',
  'rule.revoke': 'not_found',
  'deadlines.run': 'not_found',
};

const TABLE: Record<StateKind, Record<CommandType, Expected>> = {
  absent: MISSING,
  deleted: { ...MISSING, 'session.create': 'session_deleted' },
  idle: {
    'session.create': 'session_exists',
    'session.update': ['session_updated'],
    'session.delete': ['session_status'],
    'session.clear': ['context_cleared'],
    'turn.interrupt': [],
    'turn.retry': 'nothing_to_retry',
    'message.send': ['user_message'],
    'message.remove': 'not_found',
    'tool.result': 'not_found',
    'events.append': ['tool_result'],
    'cli.map': ['session_updated'],
    'history.import': 'not_found',
    'interaction.open': OPENED,
    'interactions.open': OPENED,
    'interaction.answer': 'not_found',
    'interaction.cancel': 'not_found',
    'interactions.cancel': [],
    'interaction.complete': 'not_found',
    'interaction.extend': 'not_found',
    'interaction.undo': 'not_found',
    'interaction.withdraw': 'not_found',
    'interaction.claim': 'not_found',
    'interaction.handover': 'not_found',
    'rule.add': ['session_updated'],
    'rule.revoke': 'not_found',
    'deadlines.run': [],
  },
  turnRunning: {
    'session.create': 'session_exists',
    'session.update': ['session_updated'],
    'session.delete': ['turn_ended', 'session_status'],
    'session.clear': ['turn_ended', 'context_cleared'],
    'turn.interrupt': ['turn_ended'],
    'turn.retry': 'nothing_to_retry',
    'message.send': ['user_message'],
    'message.remove': 'not_found',
    'tool.result': 'not_found',
    'events.append': ['tool_result'],
    'cli.map': ['session_updated'],
    'history.import': 'not_found',
    'interaction.open': OPENED,
    'interactions.open': OPENED,
    'interaction.answer': 'not_found',
    'interaction.cancel': 'not_found',
    'interactions.cancel': [],
    'interaction.complete': 'not_found',
    'interaction.extend': 'not_found',
    'interaction.undo': 'not_found',
    'interaction.withdraw': 'not_found',
    'interaction.claim': 'not_found',
    'interaction.handover': 'not_found',
    'rule.add': ['session_updated'],
    'rule.revoke': 'not_found',
    'deadlines.run': [],
  },
  approvalOpen: {
    'session.create': 'session_exists',
    'session.update': ['session_updated'],
    'session.delete': [...SETTLED, 'session_status'],
    'session.clear': [...SETTLED, 'context_cleared'],
    'turn.interrupt': SETTLED,
    'turn.retry': 'nothing_to_retry',
    'message.send': ['session_updated'],
    'message.remove': 'not_found',
    'tool.result': 'not_found',
    'events.append': ['tool_result', ...SETTLED],
    'cli.map': ['session_updated'],
    'history.import': 'not_found',
    'interaction.open': OPENED,
    'interactions.open': OPENED,
    'interaction.answer': SETTLED,
    'interaction.cancel': SETTLED,
    'interactions.cancel': SETTLED,
    'interaction.complete': 'wrong_kind',
    'interaction.extend': ['interaction_update'],
    'interaction.undo': 'still_open',
    'interaction.withdraw': 'no_vote',
    'interaction.claim': ['interaction_update'],
    'interaction.handover': ['interaction_update'],
    'rule.add': ['session_updated'],
    'rule.revoke': 'not_found',
    'deadlines.run': SETTLED,
  },
  oneOfTwoVotes: {
    'session.create': 'session_exists',
    'session.update': ['session_updated'],
    'session.delete': [...SETTLED, 'session_status'],
    'session.clear': [...SETTLED, 'context_cleared'],
    'turn.interrupt': SETTLED,
    'turn.retry': 'nothing_to_retry',
    'message.send': ['session_updated'],
    'message.remove': 'not_found',
    'tool.result': 'not_found',
    'events.append': ['tool_result', ...SETTLED],
    'cli.map': ['session_updated'],
    'history.import': 'not_found',
    'interaction.open': OPENED,
    'interactions.open': OPENED,
    'interaction.answer': SETTLED,
    'interaction.cancel': SETTLED,
    'interactions.cancel': SETTLED,
    'interaction.complete': 'wrong_kind',
    'interaction.extend': ['interaction_update'],
    'interaction.undo': 'still_open',
    'interaction.withdraw': 'no_vote',
    'interaction.claim': ['interaction_update'],
    'interaction.handover': ['interaction_update'],
    'rule.add': ['session_updated'],
    'rule.revoke': 'not_found',
    'deadlines.run': SETTLED,
  },
  questionMidway: {
    'session.create': 'session_exists',
    'session.update': ['session_updated'],
    'session.delete': [...SETTLED, 'session_status'],
    'session.clear': [...SETTLED, 'context_cleared'],
    'turn.interrupt': SETTLED,
    'turn.retry': 'nothing_to_retry',
    'message.send': SETTLED,
    'message.remove': 'not_found',
    'tool.result': 'not_found',
    'events.append': ['tool_result', ...SETTLED],
    'cli.map': ['session_updated'],
    'history.import': 'not_found',
    'interaction.open': OPENED,
    'interactions.open': OPENED,
    'interaction.answer': SETTLED,
    'interaction.cancel': SETTLED,
    'interactions.cancel': SETTLED,
    'interaction.complete': 'wrong_kind',
    'interaction.extend': ['interaction_update'],
    'interaction.undo': 'still_open',
    'interaction.withdraw': 'no_vote',
    'interaction.claim': ['interaction_update'],
    'interaction.handover': ['interaction_update'],
    'rule.add': ['session_updated'],
    'rule.revoke': 'not_found',
    'deadlines.run': SETTLED,
  },
  planAwaitingFeedback: {
    'session.create': 'session_exists',
    'session.update': ['session_updated'],
    'session.delete': [...SETTLED, 'session_status'],
    'session.clear': [...SETTLED, 'context_cleared'],
    'turn.interrupt': SETTLED,
    'turn.retry': 'nothing_to_retry',
    'message.send': SETTLED,
    'message.remove': 'not_found',
    'tool.result': 'not_found',
    'events.append': ['tool_result', ...SETTLED],
    'cli.map': ['session_updated'],
    'history.import': 'not_found',
    'interaction.open': OPENED,
    'interactions.open': OPENED,
    'interaction.answer': SETTLED,
    'interaction.cancel': SETTLED,
    'interactions.cancel': SETTLED,
    'interaction.complete': 'wrong_kind',
    'interaction.extend': ['interaction_update'],
    'interaction.undo': 'still_open',
    'interaction.withdraw': 'no_vote',
    'interaction.claim': ['interaction_update'],
    'interaction.handover': ['interaction_update'],
    'rule.add': ['session_updated'],
    'rule.revoke': 'not_found',
    'deadlines.run': SETTLED,
  },
  linkOpened: {
    'session.create': 'session_exists',
    'session.update': ['session_updated'],
    'session.delete': [...SETTLED, 'session_status'],
    'session.clear': [...SETTLED, 'context_cleared'],
    'turn.interrupt': SETTLED,
    'turn.retry': 'nothing_to_retry',
    'message.send': ['session_updated'],
    'message.remove': 'not_found',
    'tool.result': 'not_found',
    'events.append': ['tool_result', ...SETTLED],
    'cli.map': ['session_updated'],
    'history.import': 'not_found',
    'interaction.open': OPENED,
    'interactions.open': OPENED,
    'interaction.answer': SETTLED,
    'interaction.cancel': SETTLED,
    'interactions.cancel': SETTLED,
    'interaction.complete': SETTLED,
    'interaction.extend': ['interaction_update'],
    'interaction.undo': 'still_open',
    'interaction.withdraw': 'no_vote',
    'interaction.claim': ['interaction_update'],
    'interaction.handover': ['interaction_update'],
    'rule.add': ['session_updated'],
    'rule.revoke': 'not_found',
    'deadlines.run': SETTLED,
  },
  queuedText: {
    'session.create': 'session_exists',
    'session.update': ['session_updated'],
    'session.delete': [...SETTLED, 'session_status'],
    'session.clear': [...SETTLED, 'context_cleared'],
    'turn.interrupt': DRAINED,
    'turn.retry': 'nothing_to_retry',
    'message.send': ['session_updated'],
    'message.remove': ['session_updated'],
    'tool.result': 'not_found',
    'events.append': ['tool_result', ...DRAINED],
    'cli.map': ['session_updated'],
    'history.import': 'not_found',
    'interaction.open': OPENED,
    'interactions.open': OPENED,
    'interaction.answer': DRAINED,
    'interaction.cancel': DRAINED,
    'interactions.cancel': DRAINED,
    'interaction.complete': 'wrong_kind',
    'interaction.extend': ['interaction_update'],
    'interaction.undo': 'still_open',
    'interaction.withdraw': 'no_vote',
    'interaction.claim': ['interaction_update'],
    'interaction.handover': ['interaction_update'],
    'rule.add': ['session_updated'],
    'rule.revoke': 'not_found',
    'deadlines.run': DRAINED,
  },
  settledOnly: {
    'session.create': 'session_exists',
    'session.update': ['session_updated'],
    'session.delete': ['session_status'],
    'session.clear': ['context_cleared'],
    'turn.interrupt': [],
    'turn.retry': 'nothing_to_retry',
    'message.send': ['user_message'],
    'message.remove': 'not_found',
    'tool.result': 'not_found',
    'events.append': ['tool_result'],
    'cli.map': ['session_updated'],
    'history.import': 'not_found',
    'interaction.open': OPENED,
    'interactions.open': OPENED,
    'interaction.answer': 'already_settled',
    'interaction.cancel': 'already_settled',
    'interactions.cancel': [],
    'interaction.complete': 'wrong_kind',
    'interaction.extend': 'already_settled',
    'interaction.undo': ['interaction_update', ...OPENED, 'session_updated'],
    'interaction.withdraw': 'already_settled',
    'interaction.claim': 'already_settled',
    'interaction.handover': 'already_settled',
    'rule.add': ['session_updated'],
    'rule.revoke': ['session_updated'],
    'deadlines.run': [],
  },
};

describe.each(Object.keys(TABLE) as StateKind[])('a session that is %s', (kind) => {
  it.each(Object.keys(COMMANDS) as CommandType[])('receives %s', (type) => {
    const world = STATES[kind]();
    const before = world.state;
    const command = COMMANDS[type](world, kind);
    const decided = world.run(command, { caller: admin() });
    expect(outcomeOf(decided)).toEqual(TABLE[kind][type]);
    if (!decided.ok) expect(world.state).toBe(before);
  });
});
