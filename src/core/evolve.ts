/**
 * One event applied to a session. Pure, total, and the only way state changes.
 *
 * 1. Applying the whole log, with the agent's settings beside it, gives the same state as loading the stored rows.
 * 2. An event says everything it implies; nothing is looked up while applying it.
 * 3. An interaction leaves `open` with its response and never comes back.
 * 4. An event that the state has taken already changes nothing, so a log may be replayed twice.
 */
import type { AgentSettings } from '../protocol/schema/agent-settings.ts';
import type { EventOf, SessionEvent } from '../protocol/schema/event.ts';
import type { Interaction } from '../protocol/schema/interaction.ts';
import type { SessionInfo, SessionState } from './state.ts';
import { endAllTurns, endFailedTurns, endTurns, startTurn } from './turns.ts';

export interface Address {
  readonly workspace: string;
  readonly id: string;
}

/** `agent` is not in the event, whose readers may not see all of it. */
export function begin(
  address: Address,
  event: SessionEvent,
  agent: AgentSettings | null = null,
): SessionState {
  if (event.type !== 'session_started') throw new Error('A log begins with session_started');
  const { title, permissionMode, timeouts, metadata } = event.payload;
  const info: SessionInfo = {
    workspace: address.workspace,
    id: address.id,
    createdAt: event.at,
    deletedAt: null,
    title: title ?? null,
    permissionMode,
    timeouts: timeouts ?? {},
    metadata: metadata ?? {},
    agent,
    turn: null,
    queued: [],
  };
  return { info, head: event.seq, open: new Map(), rules: [] };
}

export function evolve(state: SessionState, event: SessionEvent): SessionState {
  if (event.seq <= state.head) return state;
  const next = { ...state, head: event.seq };
  switch (event.type) {
    case 'interaction_request': {
      const opened = openedBy(event);
      return { ...next, open: new Map(state.open).set(opened.interactionId, opened) };
    }
    case 'interaction_update': {
      const before = state.open.get(event.payload.interactionId);
      if (before === undefined) return next;
      const after = updatedBy(before, event);
      return { ...next, open: new Map(state.open).set(after.interactionId, after) };
    }
    case 'interaction_response': {
      const open = new Map(state.open);
      open.delete(event.payload.interactionId);
      return { ...next, open };
    }
    case 'session_updated':
      return withSettings(next, event);
    case 'session_status':
      return event.payload.status === 'deleted'
        ? { ...next, info: { ...state.info, deletedAt: event.at } }
        : next;
    case 'turn_started':
      return { ...next, info: startTurn(state.info, event) };
    case 'turn_ended':
      return { ...next, info: endTurns(state.info, event) };
    case 'error':
      return { ...next, info: endFailedTurns(state.info, event) };
    case 'context_cleared':
      return { ...next, info: { ...endAllTurns(state.info), queued: [] } };
    case 'session_started':
    case 'user_message':
    case 'assistant_text':
    case 'thinking':
    case 'tool_call':
    case 'tool_result':
    case 'interaction_pending':
    case 'history_imported':
      return next;
  }
}

/** The record after an event about it; undefined where the event is about no known record. */
export function foldInteraction(
  before: Interaction | undefined,
  event: SessionEvent,
): Interaction | undefined {
  if (event.type === 'interaction_request') return openedBy(event);
  if (before === undefined) return undefined;
  if (event.type === 'interaction_update') return updatedBy(before, event);
  if (event.type === 'interaction_response') return settledBy(before, event);
  return before;
}

function openedBy(event: EventOf<'interaction_request'>): Interaction {
  const { offers: _offers, allowEdit: _allowEdit, ...payload } = event.payload;
  return {
    ...payload,
    ...(event.turnId !== undefined && { turnId: event.turnId }),
    ...(event.responseId !== undefined && { responseId: event.responseId }),
    status: 'open',
    outcome: null,
    settledAt: null,
    settledBy: null,
    rev: 1,
  };
}

function updatedBy(before: Interaction, event: EventOf<'interaction_update'>): Interaction {
  const { change, current, partialAnswers, awaitingFeedback, expiresAt, by } = event.payload;
  const { remindAt, escalateAt, ...rest } = before;
  return {
    ...rest,
    ...(change !== 'reminder' && remindAt !== undefined && { remindAt }),
    ...(change !== 'escalated' && escalateAt !== undefined && { escalateAt }),
    ...(current !== undefined && { current }),
    ...(partialAnswers !== undefined && { partialAnswers }),
    ...(awaitingFeedback !== undefined && { awaitingFeedback }),
    ...(expiresAt !== undefined && { expiresAt }),
    ...(change === 'extended' && { extendedBy: by?.subject ?? '' }),
    ...(change === 'overdue' && { overdue: true }),
    rev: before.rev + 1,
  };
}

function settledBy(before: Interaction, event: EventOf<'interaction_response'>): Interaction {
  const {
    action: _action,
    message: _message,
    interactionId: _id,
    toolCallId: _toolCallId,
    toolName: _toolName,
    kind: _kind,
    inputDigest: _inputDigest,
    ...settlement
  } = event.payload;
  const { awaitingFeedback: _waits, current: _current, partialAnswers, ...rest } = before;
  const isWhole = settlement.answers !== undefined && settlement.defaulted !== true;
  return {
    ...rest,
    ...(partialAnswers !== undefined && !isWhole && { partialAnswers }),
    ...settlement,
    status: 'settled',
    rev: before.rev + 1,
  };
}

function withSettings(state: SessionState, event: EventOf<'session_updated'>): SessionState {
  const { ruleAdded, ruleRevoked, by: _by, ...changes } = event.payload;
  let { rules } = state;
  if (ruleRevoked !== undefined) rules = rules.filter((rule) => rule.id !== ruleRevoked);
  if (ruleAdded !== undefined) rules = [...rules, ruleAdded];
  const { title, permissionMode, timeouts, metadata, queued } = changes;
  const info: SessionInfo = {
    ...state.info,
    ...(title !== undefined && { title }),
    ...(permissionMode !== undefined && { permissionMode }),
    ...(timeouts !== undefined && { timeouts }),
    ...(metadata !== undefined && { metadata }),
    ...(queued !== undefined && { queued }),
  };
  return { ...state, rules, info };
}
