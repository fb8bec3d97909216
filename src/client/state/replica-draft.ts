/** A mutable replica for one batch of events, and the effect of each event on it. */
import {
  cancelledRecord,
  openedRecord,
  settledRecord,
  updatedRecord,
} from '../../protocol/interaction-record.ts';
import type { Replica } from './replica.ts';
import { recordImport, withCliSession } from '../../protocol/cli-sessions.ts';
import { foldSummaries } from '../../protocol/summaries.ts';
import { addUsage } from '../../protocol/add-usage.ts';
import {
  isObject,
  type Interaction,
  type SessionEvent,
  type SessionView,
  type EventOf,
} from '../../protocol/types.ts';
import { RUNNING_TURNS } from '../../protocol/limits.ts';

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
      if (isPresent) unarchive(draft);
      return;
    case 'interaction_pending':
      if (isPresent) setWaiting(draft, payload.toolCallId, payload.pending ? 'logged' : undefined);
      return;
    case 'interaction_request':
      draft[list] = [...draft[list], openedRecord(event)];
      if (isPresent) unarchive(draft);
      if (isPresent && !draft.waiting.has(payload.toolCallId)) {
        setWaiting(draft, payload.toolCallId, 'imported');
      }
      return;
    case 'interaction_update': {
      const update = (one: Interaction) =>
        one.interactionId === payload.interactionId ? updatedRecord(one, event) : one;
      if (payload.change === 'undone') updateSettled(draft, update);
      else draft[list] = draft[list].map(update);
      return;
    }
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
      const { by: _by, ruleAdded, ruleRevoked, cliSession, ...changes } = payload;
      if (isObject(ruleAdded)) draft.rules = [...draft.rules, ruleAdded];
      if (ruleRevoked !== undefined) {
        draft.rules = draft.rules.filter((rule) => rule.id !== ruleRevoked);
      }
      if (isPresent) {
        changeSession(draft, (session) => ({
          ...session,
          ...(changes as Partial<SessionView>),
          ...(isObject(cliSession) && {
            cliSessions: withCliSession(session.cliSessions, cliSession),
          }),
        }));
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

/** A session with a new message or request is in the list again. */
function unarchive(draft: ReplicaDraft): void {
  if (draft.session?.archived !== true) return;
  changeSession(draft, (session) => ({ ...session, archived: false }));
}

/** What changes no turn. A list for the type checker alone: a page does not load it. */
type EventBesideTurns = EventOf<
  | 'session_started'
  | 'session_updated'
  | 'session_status'
  | 'user_message'
  | 'assistant_text'
  | 'thinking'
  | 'tool_call'
  | 'interaction_pending'
  | 'interaction_request'
  | 'interaction_update'
  | 'interaction_response'
>;

function foldTurn(draft: ReplicaDraft, event: SessionEvent): void {
  const { toolCallId, at } = event;
  switch (event.type) {
    case 'turn_started':
      changeSession(draft, (session) => addRunningTurn(session, event));
      return;
    case 'turn_ended': {
      const ended = endedTurnId(draft.session, event);
      dropImported(draft, at, (one) => one.turnId === ended);
      changeSession(draft, (before) => {
        const session = removeEndedViewTurns(before, event);
        const isRepeat = runningIn(session).length === runningIn(before).length;
        const usage = isRepeat ? undefined : addUsage(session.usage, event.payload.usage);
        return usage === undefined ? session : { ...session, usage };
      });
      return;
    }
    case 'error':
      changeSession(draft, (session) => removeEndedViewTurns(session, event));
      return;
    case 'tool_result':
      // The response follows and ends the wait again; `isTyping` must not wait for it (TL-9).
      dropImported(draft, at, (one) => one.toolCallId === toolCallId);
      setWaiting(draft, toolCallId);
      return;
    case 'context_cleared':
      changeSession(draft, (before) => {
        const { summaries: _, ...session } = withRunning(before, []);
        return { ...session, queued: [] };
      });
      dropImported(draft, at, () => true);
      return;
    case 'history_imported':
      changeSession(draft, (session) => ({
        ...session,
        cliSessions: recordImport(session.cliSessions, event.payload),
      }));
      return;
    case 'conversation_compacted':
    case 'conversation_restored':
      changeSession(draft, (session) => ({
        ...session,
        summaries: foldSummaries(session.summaries, event),
      }));
      return;
    default:
      // A new event type must be handled above or listed in the type; one of a newer server comes here.
      event satisfies EventBesideTurns;
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

/** Taking a decision back is the only change of a settled record. */
function updateSettled(draft: ReplicaDraft, update: (one: Interaction) => Interaction): void {
  draft.settled = draft.settled.map(update);
  draft.justSettled.splice(0, Infinity, ...draft.justSettled.map(update));
}

function changeSession(draft: ReplicaDraft, change: (session: SessionView) => SessionView): void {
  if (draft.session !== null) draft.session = change(draft.session);
}

/** The order of the server: by the time of the request. */
function byAge(one: Interaction, other: Interaction): number {
  return one.openedAt - other.openedAt || (one.interactionId < other.interactionId ? -1 : 1);
}

/** The running turns, as the server folds them: `turn` is the latest one, `otherTurns` are those of other agents. */
type Turns = Pick<SessionView, 'turn' | 'otherTurns'>;
type ViewTurn = NonNullable<SessionView['turn']>;
type TurnReporter = ViewTurn['by'];

function addRunningTurn(session: SessionView, event: EventOf<'turn_started'>): SessionView {
  const { turnId, at: startedAt, payload } = event;
  const by = isObject(payload.by) ? payload.by : undefined;
  const kept = runningIn(session).filter(
    (turn) => !isTurnOf(turn, by) && (turnId === undefined || turn.turnId !== turnId),
  );
  const begun: ViewTurn = {
    startedAt,
    ...(turnId !== undefined && { turnId }),
    ...(by !== undefined && { by }),
  };
  return withRunning(session, [...kept, begun].slice(-RUNNING_TURNS));
}

function removeEndedViewTurns(session: SessionView, event: TurnEnd): SessionView {
  return withRunning(
    session,
    runningIn(session).filter((turn) => !endsThisTurn(turn, event)),
  );
}

/** The turn that an end is about: by its id, or else by its reporter. */
function endedTurnId(
  session: SessionView | null,
  event: EventOf<'turn_ended'>,
): string | undefined {
  if (event.turnId !== undefined || session === null) return event.turnId;
  return runningIn(session).findLast((turn) => endsThisTurn(turn, event))?.turnId;
}

type TurnEnd = EventOf<'turn_ended' | 'error'>;

function endsThisTurn(turn: ViewTurn, { type, turnId, payload }: TurnEnd): boolean {
  // The built-in agent continues after an error that it reports.
  if (type === 'error' && !(isObject(payload.by) && turn.by !== undefined)) return false;
  if (turnId !== undefined && turn.turnId === turnId) return true;
  const fits = turnId === undefined || turn.turnId === undefined;
  return fits && isTurnOf(turn, payload.by);
}

function isTurnOf({ by: starter }: ViewTurn, by: TurnReporter): boolean {
  if (!isObject(by) || !isObject(starter)) return true;
  return starter.credential === by.credential;
}

function runningIn({ turn, otherTurns }: Turns): readonly ViewTurn[] {
  const others = Array.isArray(otherTurns) ? otherTurns.filter(isObject) : [];
  return turn === null ? others : [...others, turn];
}

function withRunning(session: SessionView, turns: readonly ViewTurn[]): SessionView {
  const { otherTurns: _others, ...rest } = session;
  const others = turns.slice(0, -1);
  const turn = turns.at(-1) ?? null;
  return { ...rest, turn, ...(others.length > 0 && { otherTurns: others }) };
}
