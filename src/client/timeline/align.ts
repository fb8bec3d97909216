/**
 * Lays the interactions of a log over the history of a command-line agent (ALN-2 to ALN-4, ALN-6).
 *
 * The history is the conversation as the agent wrote it; the log has what people were asked, and perhaps what the agent
 * reported while it ran. The result is one list for `foldEvents`, numbered anew.
 *
 * 1. The interactions of a call stand at the call, in the order of the log: all up to the last request right after the
 *    call, the last response right before the result. An interaction that is still open although its call has a result
 *    stands after the result, because a result would show it as cancelled.
 * 2. What the agent reported gives way to the history, except what is older or newer than the history, and the calls that
 *    only the log has and a person was asked about.
 * 3. Everything else is placed by time, after an entry of the same time. The order of the log is never reversed within one
 *    call, nor among what is placed by time.
 * 4. The result depends on the two lists alone, not on when which of them arrived.
 *
 * The file is long because each placement needs the others: a result moves with an open interaction, and a clear with both.
 */
import type { EventOf, HistoryEntry, SessionEvent } from '../../protocol/types.ts';
import {
  CallFinder,
  type HistoryCall,
  type HistoryCalls,
  type HistoryResults,
  listCalls,
} from './history-calls.ts';
import { isReported, selectReported } from './reported-events.ts';

/** The author of a message that the history does not name. */
export const HISTORY_SUBJECT = 'the command line';

type LoggedInteraction = Extract<SessionEvent, { payload: { interactionId: string } }>;

/** The interactions that the log has for one tool call id. */
interface InteractionGroup {
  readonly toolCallId: string;
  readonly events: LoggedInteraction[];
  /** The first one. */
  request: EventOf<'interaction_request'> | undefined;
  isOpen: boolean;
}

type CallNames = Pick<HistoryCall, 'toolCallId'> & Partial<HistoryCall>;

/** The interactions at one call of the history. */
interface CallGroups {
  readonly names: CallNames;
  readonly entry: number;
  readonly result: HistoryResults | undefined;
  readonly groups: InteractionGroup[];
}

/** What stands around one entry of the history: directly before it, directly after it, and then what is placed by time. */
interface Surroundings {
  readonly before: SessionEvent[];
  readonly after: SessionEvent[];
  readonly byTime: SessionEvent[];
}

export function alignHistory(
  history: readonly HistoryEntry[],
  events: readonly SessionEvent[],
): SessionEvent[] {
  const log = inLogOrder(events);
  if (history.length === 0) return numberAnew(log);
  const times = timesOf(history, log);
  const found = listCalls(history, times);
  const groups = groupInteractions(log);
  const { atCalls, alone } = findCalls(groups, found);

  const kept = new Set<SessionEvent>(selectReported(log, { history, times, ...found, alone }));
  const surroundings = new Map<number, Surroundings>();
  const limits = atCalls.flatMap((one) => placeAtCall(one, surroundings, kept));
  const rest = log.filter((event) => {
    if (isInteractionEvent(event)) return alone.has(event.payload.toolCallId);
    return !isReported(event) || kept.has(event);
  });
  for (const { event, after } of placeByTime(rest, times, limits)) {
    surroundingsOf(surroundings, after).byTime.push(event);
  }
  const turns = new Set<string | undefined>();
  for (const { turnId } of history) turns.add(turnId);
  for (const { turnId } of kept) turns.add(turnId);
  const merged: SessionEvent[] = [];
  const addByTime = (events: readonly SessionEvent[] = []) => {
    for (const event of events) merged.push(withKnownTurn(event, turns));
  };
  addByTime(surroundings.get(-1)?.byTime);
  for (const [at, entry] of history.entries()) {
    const around = surroundings.get(at);
    if (around !== undefined) merged.push(...around.before);
    merged.push(eventOfEntry(entry, merged.length + 1));
    if (around !== undefined) merged.push(...around.after);
    addByTime(around?.byTime);
  }
  return numberAnew(merged);
}

function surroundingsOf(surroundings: Map<number, Surroundings>, entry: number): Surroundings {
  const known = surroundings.get(entry);
  if (known !== undefined) return known;
  const made = { before: [], after: [], byTime: [] };
  surroundings.set(entry, made);
  return made;
}

function inLogOrder(events: readonly SessionEvent[]): SessionEvent[] {
  const log = events.toSorted((one, other) => one.seq - other.seq);
  return log.filter((event, at) => event.seq !== log[at - 1]?.seq);
}

function numberAnew(events: readonly SessionEvent[]): SessionEvent[] {
  return events.map((event, at) => (event.seq === at + 1 ? event : { ...event, seq: at + 1 }));
}

/**
 * The times of the entries, none before the one in front of it. No entry is newer than its import: a clock in the future
 * would make all that the log has look old.
 */
function timesOf(history: readonly HistoryEntry[], log: readonly SessionEvent[]): number[] {
  const importedAt = log.findLast(({ type }) => type === 'history_imported')?.at ?? Infinity;
  let time = 0;
  return history.map(({ at }) => {
    time = Math.max(time, Math.min(at, importedAt));
    return time;
  });
}

function isInteractionEvent(event: SessionEvent): event is LoggedInteraction {
  return event.type.startsWith('interaction_');
}

function groupInteractions(log: readonly SessionEvent[]): InteractionGroup[] {
  const groups = new Map<string, InteractionGroup>();
  const open = new Map<string, InteractionGroup>();
  for (const event of log) {
    if (!isInteractionEvent(event)) continue;
    const { toolCallId, interactionId } = event.payload;
    const known = groups.get(toolCallId);
    const group = known ?? { toolCallId, events: [], request: undefined, isOpen: false };
    groups.set(toolCallId, group);
    group.events.push(event);
    if (event.type === 'interaction_request') {
      group.request ??= event;
      open.set(interactionId, group);
    }
    if (event.type === 'interaction_response') open.delete(interactionId);
  }
  for (const group of open.values()) group.isOpen = true;
  return [...groups.values()];
}

/** `alone`: the ids of calls that are not in the history, and that nothing in it resembles. */
function findCalls(
  groups: readonly InteractionGroup[],
  { calls, results }: HistoryCalls,
): { atCalls: readonly CallGroups[]; alone: ReadonlySet<string> } {
  const unknown = groups.filter(({ toolCallId }) => !calls.has(toolCallId));
  const finder = new CallFinder(
    calls.values(),
    unknown.flatMap(({ request }) => request ?? []),
  );
  const atCalls = new Map<string, CallGroups>();
  const alone = new Set<string>();
  for (const group of groups) {
    const { toolCallId, request } = group;
    // A result under the id of the interaction says which call it was, even if the history lacks the call.
    const isNamed = calls.has(toolCallId) || results.has(toolCallId);
    const call = isNamed ? calls.get(toolCallId) : request && finder.find(request);
    const result = results.get(call?.toolCallId ?? toolCallId);
    // Before a result without a call an open interaction would be drawn as cancelled.
    const isAfterResult = group.isOpen && result !== undefined;
    if (call === undefined && !isAfterResult) {
      alone.add(toolCallId);
      continue;
    }
    const names = call ?? { toolCallId };
    const atCall = atCalls.get(names.toolCallId);
    if (atCall !== undefined) atCall.groups.push(group);
    else
      atCalls.set(names.toolCallId, {
        names,
        entry: call?.entry ?? result?.last ?? 0,
        result,
        groups: [group],
      });
  }
  return { atCalls: [...atCalls.values()], alone };
}

/** Of interactions that are open: the entry that they follow, and their first number in the log. */
interface OpenLimit {
  readonly after: number;
  readonly seq: number;
}

function placeAtCall(
  { names, entry, result, groups }: CallGroups,
  surroundings: Map<number, Surroundings>,
  kept: Set<SessionEvent>,
): OpenLimit[] {
  const events: SessionEvent[] = groups.flatMap((group) => {
    const isOfCall = group.toolCallId === names.toolCallId || isAlone(group, groups);
    return group.events.map((event) => atCall(event, names, isOfCall));
  });
  const openFrom = Math.min(
    ...groups.flatMap(({ isOpen, events: [first] }) => (isOpen && first ? first.seq : [])),
  );
  const isOpen = openFrom < Infinity;
  events.sort((one, other) => one.seq - other.seq);
  if (isOpen) {
    // The result of a call that only resembles the interaction's may be younger than the interaction.
    const results = takeResults(kept, [names, ...groups]);
    const at = events.findIndex(
      ({ seq }) => seq >= Math.min(openFrom, results[0]?.seq ?? openFrom),
    );
    events.splice(at, 0, ...results);
  }
  if (isOpen) {
    const after = Math.max(entry, result?.last ?? 0);
    surroundingsOf(surroundings, after).after.push(...events);
    return [{ after, seq: events.at(-1)?.seq ?? 0 }];
  }
  const asked = events.findLastIndex((event) => !isEnding(event)) + 1;
  const around = surroundingsOf(surroundings, entry);
  const isBeforeResult = result !== undefined && result.first > entry;
  const end = isBeforeResult ? surroundingsOf(surroundings, result.first).before : around.after;
  around.after.push(...events.slice(0, asked));
  end.push(...events.slice(asked));
  return [];
}

/** Reported results of an open interaction's call move with it: after it they would show it as cancelled. */
function takeResults(kept: Set<SessionEvent>, names: readonly CallNames[]): SessionEvent[] {
  const ids = new Set<string | undefined>(names.map(({ toolCallId }) => toolCallId));
  const results = [...kept].filter(
    ({ type, toolCallId }) => type === 'tool_result' && ids.has(toolCallId),
  );
  for (const event of results) kept.delete(event);
  return results;
}

function isEnding(event: SessionEvent): boolean {
  return (
    event.type === 'interaction_response' ||
    (event.type === 'interaction_pending' && !event.payload.pending)
  );
}

/**
 * Whether no other interactions of the call are open at the same time. Two open ones of one call would be a reprompt, which
 * hides the first; such a group keeps its own call id and stands beside the call.
 */
function isAlone(group: InteractionGroup, groups: readonly InteractionGroup[]): boolean {
  const first = group.events[0]?.seq ?? 0;
  const last = group.events.at(-1)?.seq ?? 0;
  return groups.every((other) => {
    const isBefore = !other.isOpen && (other.events.at(-1)?.seq ?? 0) < first;
    const isAfter = !group.isOpen && (other.events[0]?.seq ?? 0) > last;
    return other === group || isBefore || isAfter;
  });
}

/** The event with the turn, the response and, unless it only stands beside the call, the id of the call. */
function atCall(event: LoggedInteraction, names: CallNames, isOfCall: boolean): SessionEvent {
  const { turnId: _turnId, responseId: _responseId, ...rest } = event;
  const { turnId, responseId, toolCallId } = names;
  return {
    ...rest,
    ...(turnId !== undefined && { turnId }),
    ...(responseId !== undefined && { responseId }),
    ...(isOfCall && { toolCallId, payload: { ...event.payload, toolCallId } }),
  } as SessionEvent;
}

/** Each event with the number of the entry that it follows, or -1. */
function placeByTime(
  events: readonly SessionEvent[],
  times: readonly number[],
  limits: readonly OpenLimit[],
): { readonly event: SessionEvent; readonly after: number }[] {
  let next = 0;
  const placed = events.map((event) => {
    while (next < times.length && (times[next] as number) <= event.at) next += 1;
    return { event, after: Math.min(next - 1, clearLimit(event, limits)) };
  });
  // A clear that was moved forward takes what stands before it in the log with it.
  let limit = Infinity;
  return placed
    .toReversed()
    .map(({ event, after }) => {
      limit = Math.min(limit, after);
      return { event, after: limit };
    })
    .toReversed();
}

/** A clear cancels all that is open; what was asked after it must not be drawn before it. */
function clearLimit({ type, seq }: SessionEvent, limits: readonly OpenLimit[]): number {
  if (type !== 'context_cleared') return Infinity;
  const later = limits.filter((limit) => limit.seq > seq).map(({ after }) => after - 1);
  return Math.min(...later, Infinity);
}

/** An interaction of a turn that is drawn nowhere belongs to the turn that it stands in. */
function withKnownTurn(event: SessionEvent, turns: ReadonlySet<string | undefined>): SessionEvent {
  if (turns.has(event.turnId) || event.turnId === undefined) return event;
  const { turnId: _turnId, responseId: _responseId, ...rest } = event;
  return rest;
}

function eventOfEntry(entry: HistoryEntry, seq: number): SessionEvent {
  const { at, type, turnId, responseId } = entry;
  const toolCallId = 'toolCallId' in entry ? entry.toolCallId : undefined;
  const { payload } = entry;
  const isMessage = type === 'user_message';
  return {
    seq,
    at,
    type,
    ...(turnId !== undefined && { turnId }),
    ...(responseId !== undefined && { responseId }),
    ...(toolCallId !== undefined && { toolCallId }),
    payload: isMessage ? { ...payload, subject: HISTORY_SUBJECT } : payload,
  } as SessionEvent;
}
