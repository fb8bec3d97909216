/** A mutable replica for one batch of events, and the effect of each event on it. */
import {
  cancelledRecord,
  openedRecord,
  settledRecord,
  updatedRecord,
} from '../../protocol/interaction-record.ts';
import type { Replica } from './replica.ts';
import {
  removeAllViewTurns,
  endedTurnId,
  removeFailedViewTurns,
  removeEndedViewTurns,
  addRunningTurn,
} from './running-turns.ts';
import { isObject } from '../../protocol/guards.ts';
import type { Interaction, SessionEvent, SessionView } from '../../protocol/types.ts';

type ReplicaDraft = { -readonly [K in keyof Replica]: Replica[K] } & {
  /** Of this batch alone; copying the whole list for each event would be too slow. */
  readonly justSettled: Interaction[];
};

export function replicaDraftOf(replica: Replica): ReplicaDraft {
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

/** Also history changes `settled`, `rules` and `report`, because the welcome has none of them. */
export function foldIntoReplica(draft: ReplicaDraft, event: SessionEvent): void {
  const { type, payload, at } = event;
  if (!isObject(payload)) return;
  const isPresent = event.seq > draft.asOf;
  const list = isPresent ? 'open' : 'past';
  switch (type) {
    case 'user_message':
      return;
    case 'interaction_pending':
      if (isPresent) setWaiting(draft, payload.toolCallId, payload.pending ? 'logged' : undefined);
      return;
    case 'interaction_request':
      draft[list] = [...draft[list], openedRecord(event)];
      if (isPresent && !draft.waiting.has(payload.toolCallId)) {
        setWaiting(draft, payload.toolCallId, 'imported');
      }
      return;
    case 'interaction_update':
      draft[list] = draft[list].map((one) =>
        one.interactionId === payload.interactionId ? updatedRecord(one, event) : one,
      );
      return;
    case 'interaction_response': {
      const { toolCallId, interactionId, outcome } = payload;
      moveToSettled(draft, list, (one) =>
        one.interactionId === interactionId ? settledRecord(one, payload) : undefined,
      );
      const isImported = isPresent && draft.waiting.get(toolCallId) === 'imported';
      if (isImported && outcome !== 'superseded') setWaiting(draft, toolCallId);
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
  // The session works again, or its turn is over.
  draft.report = null;
  if (isPresent) foldTurn(draft, event);
}

function foldTurn(draft: ReplicaDraft, event: SessionEvent): void {
  const { toolCallId, at } = event;
  switch (event.type) {
    case 'turn_started':
      changeSession(draft, (session) => addRunningTurn(session, event));
      return;
    case 'turn_ended': {
      const ended = endedTurnId(draft.session, event);
      dropImported(draft, at, (one) => one.turnId === ended);
      changeSession(draft, (session) => removeEndedViewTurns(session, event));
      return;
    }
    case 'error':
      changeSession(draft, (session) => removeFailedViewTurns(session, event));
      return;
    case 'tool_result':
      // The response follows and ends the wait again; `isTyping` must not wait for it (TL-9).
      dropImported(draft, at, (one) => one.toolCallId === toolCallId);
      setWaiting(draft, toolCallId);
      return;
    case 'context_cleared':
      changeSession(draft, (session) => ({ ...removeAllViewTurns(session), queued: [] }));
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

function setWaiting(draft: ReplicaDraft, toolCallId = '', how?: 'logged' | 'imported'): void {
  if (how === undefined && !draft.waiting.has(toolCallId)) return;
  const waiting = new Map(draft.waiting);
  if (how === undefined) waiting.delete(toolCallId);
  else waiting.set(toolCallId, how);
  draft.waiting = waiting;
}

/** Settles imported requests, for which no response will be logged. */
function dropImported(
  draft: ReplicaDraft,
  at: number,
  isOver: (record: Interaction) => boolean,
): void {
  moveToSettled(draft, 'open', (one) => {
    if (draft.waiting.get(one.toolCallId) !== 'imported' || !isOver(one)) return undefined;
    setWaiting(draft, one.toolCallId);
    return cancelledRecord(one, at);
  });
}

function moveToSettled(
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

/** The order of the server: by the time of the request. */
function byAge(one: Interaction, other: Interaction): number {
  return one.openedAt - other.openedAt || (one.interactionId < other.interactionId ? -1 : 1);
}
