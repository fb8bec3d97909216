/**
 * What an agent reported while it ran, and its transcript perhaps has too (ALN-6).
 *
 * Between the first and the last entry of the history the transcript is the conversation, and reports give way to it. A
 * report arrives a moment after its line was written, so the last ones are newer than the history; they are recognized by
 * the id of their call, or by their text among the entries of the last turn.
 */
import type { HistoryEntry, SessionEvent } from '../../protocol/types.ts';
import type { HistoryCalls } from './history-calls.ts';

type ReportedType = HistoryEntry['type'];
const REPORTED: ReadonlySet<string> = new Set<ReportedType>([
  'turn_started',
  'turn_ended',
  'user_message',
  'assistant_text',
  'thinking',
  'tool_call',
  'tool_result',
  'error',
]);

export type ReportedEvent = Extract<SessionEvent, { type: ReportedType }>;

export function isReported(event: SessionEvent): event is ReportedEvent {
  return REPORTED.has(event.type);
}

interface EventReading extends HistoryCalls {
  readonly history: readonly HistoryEntry[];
  readonly times: readonly number[];
  /** The calls of interactions that have no call in the history. */
  readonly alone: ReadonlySet<string>;
}

/** The reported events that are drawn beside the history. */
export function selectReported(
  log: readonly SessionEvent[],
  { history, times, calls, results, alone }: EventReading,
): ReportedEvent[] {
  const [first = 0] = times;
  const last = times.at(-1) ?? 0;
  const turns = new Set(history.flatMap(({ turnId }) => turnId ?? []));
  const lastTurn = startOfLastTurn(history);
  const begin = countTexts(firstTurn(history));
  const end = countTexts(history.slice(lastTurn));
  const endFrom = times[lastTurn] ?? 0;
  const keptCalls = new Set<string>();

  const isKept = (event: ReportedEvent): boolean => {
    const isOutside = event.at < first || event.at > last;
    const { toolCallId = '' } = event;
    if (event.type === 'tool_call') {
      const isNew = !calls.has(toolCallId) && (isOutside || alone.has(toolCallId));
      if (isNew) keptCalls.add(toolCallId);
      return isNew;
    }
    if (event.type === 'tool_result') {
      if (results.has(toolCallId)) return false;
      return isOutside || calls.has(toolCallId) || keptCalls.has(toolCallId);
    }
    if (event.type === 'turn_started' || event.type === 'turn_ended') {
      return isOutside && !turns.has(event.turnId ?? '');
    }
    // Also a report that is not newer uses its entry up, for a later one with the same text.
    const isKnown =
      event.at < first ? takeText(begin, event) : event.at >= endFrom && takeText(end, event);
    return isOutside && !isKnown;
  };
  const kept = log.filter(isReported).filter(isKept);
  return kept.filter((event, at) => !isEmptyTurn(event, kept[at + 1], first));
}

/** The start of a turn whose content is in the history. */
function isEmptyTurn(
  { type, at }: ReportedEvent,
  next: ReportedEvent | undefined,
  first: number,
): boolean {
  if (type !== 'turn_started') return false;
  if (next === undefined) return at < first;
  return (
    next.type === 'turn_started' || next.type === 'turn_ended' || (at < first && next.at >= first)
  );
}

function firstTurn(history: readonly HistoryEntry[]): readonly HistoryEntry[] {
  const second = history.findIndex(({ type }, at) => at > 0 && type === 'turn_started');
  return second < 0 ? history : history.slice(0, second);
}

function startOfLastTurn(history: readonly HistoryEntry[]): number {
  return Math.max(
    0,
    history.findLastIndex(({ type }) => type === 'turn_started'),
  );
}

function countTexts(entries: readonly HistoryEntry[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const entry of entries) {
    const text = comparedText(entry);
    if (text !== undefined) counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  return counts;
}

function takeText(counts: Map<string, number>, event: ReportedEvent): boolean {
  const text = comparedText(event) ?? '';
  const left = counts.get(text) ?? 0;
  if (left > 0) counts.set(text, left - 1);
  return left > 0;
}

function comparedText({ type, payload }: HistoryEntry | ReportedEvent): string | undefined {
  if ('text' in payload) return `${type} ${payload.text}`;
  return type === 'error' && 'message' in payload ? `${type} ${payload.message}` : undefined;
}
