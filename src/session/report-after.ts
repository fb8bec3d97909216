/** What the workspace has not heard yet, in stretches that fit into one message to it. */
import { type Report, reportOf, type Teller } from '../core/report.ts';
import type { SessionState } from '../core/state.ts';
import type { SessionEvent } from '../protocol/schema/event.ts';
import type { SessionStore } from './ports.ts';

/**
 * What a report says of its events is never larger than they are, so this bounds it, beside the requests of what is open:
 * a session that could not report for a day does it in many calls, and the workspace serves others in between.
 */
const FIT = { maxEvents: 1_000, maxBytes: 1024 * 1024 };

export function reportAfter(
  store: SessionStore,
  state: SessionState | null,
  told: number,
  teller: Teller,
): Report | undefined {
  if (state === null || told >= state.head) return undefined;
  const chunk = store.readLog(told, FIT);
  if (chunk === undefined) return undefined;
  const events = JSON.parse(`[${chunk.json}]`) as SessionEvent[];
  return { ...reportOf(state, told, events, teller), head: chunk.lastSeq };
}
