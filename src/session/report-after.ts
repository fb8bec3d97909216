/** What the workspace has not heard yet, in stretches that fit into one message to it. */
import { type Report, reportOf, type Teller } from '../core/report.ts';
import type { SessionState } from '../core/state.ts';
import type { SessionEvent } from '../protocol/event.ts';
import type { SessionStore } from './ports.ts';

const FIT = { maxEvents: 1_000, maxBytes: 4 * 1024 * 1024 };

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
