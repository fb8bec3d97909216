/** A replica while a batch is folded into it, and each event's part in it. */
import {
  cancelledRecord,
  openedRecord,
  settledRecord,
  updatedRecord,
} from '../../protocol/interaction-record.ts';
import type { Replica } from './replica.ts';
import { endAllTurns, endedTurnId, endFailedTurns, endTurns, startTurn } from './running-turns.ts';
import { isObject } from '../timeline/guards.ts';
import type { Interaction, SessionEvent, SessionView } from '../../protocol/types.ts';

type ReplicaDraft = { -readonly [K in keyof Replica]: Replica[K] } & {
  /** In this batch; all that there are would be copied for each. */
  readonly justSettled: Interaction[];
};

export function draftOf(replica: Replica): ReplicaDraft {
  return { ...replica, justSettled: [] };
}

export function publishReplica(replica: Replica, draft: ReplicaDraft): Replica {
  if (draft.cursor === replica.cursor) return replica;
  const { justSettled, ...next } = draft;
  if (justSettled.length > 0) next.settled = [...next.settled, ...justSettled];
  if (next.open !== replica.open) next.open = next.open.toSorted(byAge);
  if (next.cursor >= next.asOf) next.past = [];
  const waitingForPerson = next.waiting.size > 0;
  if (next.session !== null && next.session.waitingForPerson !== waitingForPerson) {
    next.session = { ...next.session, waitingForPerson };
  }
  if (next.head < next.cursor) next.head = next.cursor;
  return next;
}

/** History tells what was settled, the rules and the last report, because no welcome does. */
export function foldIntoReplica(draft: ReplicaDraft, event: SessionEvent): void {
  const { type, payload, at } = event;
  if (!isObject(payload)) return;
  const isPresent = event.seq > draft.asOf;
  const list = isPresent ? 'open' : 'past';
  switch (type) {
    case 'user_message':
      return;
    case 'interaction_pending':
      if (isPresent) wait(draft, payload.toolCallId, payload.pending ? 'logged' : undefined);
      return;
    case 'interaction_request':
      draft[list] = [...draft[list], openedRecord(event)];
      if (isPresent && !draft.waiting.has(payload.toolCallId)) {
        wait(draft, payload.toolCallId, 'imported');
      }
      return;
    case 'interaction_update':
      draft[list] = draft[list].map((one) =>
        one.interactionId === payload.interactionId ? updatedRecord(one, event) : one,
      );
      return;
    case 'interaction_response': {
      const { toolCallId, interactionId, outcome } = payload;
      settle(draft, list, (one) =>
        one.interactionId === interactionId ? settledRecord(one, payload) : undefined,
      );
      const isImported = isPresent && draft.waiting.get(toolCallId) === 'imported';
      if (isImported && outcome !== 'superseded') wait(draft, toolCallId);
      return;
    }
    case 'session_updated': {
      const { by: _by, ruleAdded, ruleRevoked, ...changes } = payload;
      if (isObject(ruleAdded)) draft.rules = [...draft.rules, ruleAdded];
      if (ruleRevoked !== undefined) {
        draft.rules = draft.rules.filter((rule) => rule.id !== ruleRevoked);
      }
      if (isPresent) {
        changeSession(draft, (session) => ({ ...session, ...(changes as Partial<SessionView>) }));
      }
      return;
    }
    case 'session_status':
      draft.report = payload;
      if (payload.status !== 'deleted') return;
      draft.isDeleted = true;
      if (isPresent) dropImported(draft, at, () => true);
      return;
  }
  // Something came of it, or its turn is over.
  draft.report = null;
  if (isPresent) foldTurn(draft, event);
}

function foldTurn(draft: ReplicaDraft, event: SessionEvent): void {
  const { toolCallId, at } = event;
  switch (event.type) {
    case 'turn_started':
      changeSession(draft, (session) => startTurn(session, event));
      return;
    case 'turn_ended': {
      const ended = endedTurnId(draft.session, event);
      dropImported(draft, at, (one) => one.turnId === ended);
      changeSession(draft, (session) => endTurns(session, event));
      return;
    }
    case 'error':
      changeSession(draft, (session) => endFailedTurns(session, event));
      return;
    case 'tool_result':
      // The response that follows ends it once more; typing must not wait for that (TL-9).
      dropImported(draft, at, (one) => one.toolCallId === toolCallId);
      wait(draft, toolCallId);
      return;
    case 'context_cleared':
      changeSession(draft, (session) => ({ ...endAllTurns(session), queued: [] }));
      dropImported(draft, at, () => true);
      return;
    case 'session_started':
    case 'session_updated':
    case 'session_status':
    case 'user_message':
    case 'assistant_text':
    case 'thinking':
    case 'tool_call':
    case 'interaction_pending':
    case 'interaction_request':
    case 'interaction_update':
    case 'interaction_response':
    case 'history_imported':
      return;
    default:
      // A new event type must be listed above; one of a newer server comes here.
      event satisfies never;
  }
}

function wait(draft: ReplicaDraft, toolCallId = '', how?: 'logged' | 'imported'): void {
  if (how === undefined && !draft.waiting.has(toolCallId)) return;
  const waiting = new Map(draft.waiting);
  if (how === undefined) waiting.delete(toolCallId);
  else waiting.set(toolCallId, how);
  draft.waiting = waiting;
}

/** Nobody will log a response to what was imported. */
function dropImported(
  draft: ReplicaDraft,
  at: number,
  isOver: (record: Interaction) => boolean,
): void {
  settle(draft, 'open', (one) => {
    if (draft.waiting.get(one.toolCallId) !== 'imported' || !isOver(one)) return undefined;
    wait(draft, one.toolCallId);
    return cancelledRecord(one, at);
  });
}

function settle(
  draft: ReplicaDraft,
  list: 'open' | 'past',
  settled: (record: Interaction) => Interaction | undefined,
): void {
  const left = draft[list].filter((record) => {
    const after = settled(record);
    if (after !== undefined) draft.justSettled.push(after);
    return after === undefined;
  });
  if (left.length < draft[list].length) draft[list] = left;
}

function changeSession(draft: ReplicaDraft, change: (session: SessionView) => SessionView): void {
  if (draft.session !== null) draft.session = change(draft.session);
}

/** The order in which a person was asked, as the server gives it. */
function byAge(one: Interaction, other: Interaction): number {
  return one.openedAt - other.openedAt || (one.interactionId < other.interactionId ? -1 : 1);
}
