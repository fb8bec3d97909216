/**
 * Decides a command on a session: events to write, or a rejection.
 *
 * Pure, synchronous and total over state and command. It knows no clock, storage, socket or other caller. Two commands
 * that race are decided one after the other, and the second sees the effect of the first. The rights of the caller
 * are checked before anything else.
 */
import type { Command } from '../protocol/schema/command.ts';
import { reject } from '../protocol/errors.ts';
import { authorize } from './authority.ts';
import { dueEvents } from './deadlines.ts';
import { accept, type DecisionResult, type Facts } from './decision.ts';
import { answerInteraction } from './decisions/answer.ts';
import { appendEvents } from './decisions/append.ts';
import {
  cancelInteractions,
  cancelInteraction,
  clearSession,
  deleteSession,
  interruptTurn,
} from './decisions/cancel.ts';
import { claimInteraction } from './decisions/claim.ts';
import { addCliSession, logImport } from './decisions/cli-session.ts';
import { completeInteraction } from './decisions/complete.ts';
import { handOverInteraction } from './decisions/hand-over.ts';
import { removeMessage, sendMessage } from './decisions/message.ts';
import { openInteraction } from './decisions/open.ts';
import { openInteractions } from './decisions/open-batch.ts';
import {
  addRule,
  createSession,
  extendInteraction,
  revokeRule,
  updateSession,
} from './decisions/session.ts';
import { undoDecision } from './decisions/undo.ts';
import { withdrawVote } from './decisions/withdraw.ts';
import { drainQueue, draftEvents } from './session-draft.ts';
import type { SessionState } from './state.ts';

export function decide(state: SessionState | null, command: Command, facts: Facts): DecisionResult {
  const refused = authorize(command, facts.caller, facts.record);
  if (refused !== undefined) return refused;
  if (command.type === 'session.create') return createSession(state, command, facts);
  if (state === null || state.info.deletedAt !== null) {
    return reject('not_found', 'There is no such session');
  }
  switch (command.type) {
    case 'session.update':
      return updateSession(state, command, facts);
    case 'session.delete':
      return deleteSession(state, facts);
    case 'session.clear':
      return clearSession(state, facts);
    case 'turn.interrupt':
      return interruptTurn(state, facts);
    case 'message.send':
      return sendMessage(state, command, facts);
    case 'message.remove':
      return removeMessage(state, command, facts);
    case 'turn.retry':
      return reject('nothing_to_retry', 'No turn of a built-in agent has failed here');
    case 'conversation.restore':
      return reject('not_restorable', 'No conversation of a built-in agent was summarized here', {
        because: 'no_summary',
      });
    case 'tool.result':
      return reject('not_found', 'No tool call of a built-in agent has this id');
    case 'events.append':
      return appendEvents(state, command, facts);
    case 'cli.map':
      return addCliSession(state, command, facts);
    case 'history.import':
      return logImport(state, command, facts);
    case 'interaction.open':
      return openInteraction(state, command, facts);
    case 'interactions.open':
      return openInteractions(state, command, facts);
    case 'interaction.answer':
      return answerInteraction(state, command, facts);
    case 'interaction.cancel':
      return cancelInteraction(state, command, facts);
    case 'interactions.cancel':
      return cancelInteractions(state, facts, command.reason);
    case 'interaction.complete':
      return completeInteraction(state, facts);
    case 'interaction.extend':
      return extendInteraction(state, facts);
    case 'interaction.undo':
      return undoDecision(state, facts);
    case 'interaction.claim':
      return claimInteraction(state, command, facts);
    case 'interaction.handover':
      return handOverInteraction(state, command, facts);
    case 'interaction.withdraw':
      return withdrawVote(state, facts);
    case 'rule.add':
      return addRule(state, command, facts);
    case 'rule.revoke':
      return revokeRule(state, command, facts);
    case 'deadlines.run': {
      const { now } = facts;
      const due = draftEvents(state, dueEvents(state, facts.kinds, now), now);
      return accept(drainQueue(due, now), { type: 'done' });
    }
  }
}
