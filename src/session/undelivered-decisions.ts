/**
 * Which decisions no agent has yet, and what happened since: only such a decision can be taken back.
 *
 * An agent takes an outcome by waiting for it, by asking again or by acknowledging it (`deliveredAt`), and it can read one in
 * the log or in a list (`shownAt`). Each is noted before the reply leaves, so a decision without both was never shown to an
 * agent.
 */
import type { Aftermath } from '../core/decision.ts';
import { type Caller, isAgentOf } from '../protocol/caller.ts';
import type { Command } from '../protocol/schema/command.ts';
import type { SessionEvent } from '../protocol/schema/event.ts';
import type { Interaction } from '../protocol/schema/interaction.ts';
import { LIMITS } from '../protocol/limits.ts';
import type { SessionState } from '../core/state.ts';
import { recordById } from './find-record.ts';
import type { SessionStore } from './ports.ts';
import type { Session } from './session.ts';

export interface UndeliveredPorts {
  readonly store: Pick<SessionStore, 'settled' | 'markShown'>;
  readonly now: () => number;
  readonly warn: (message: string, evidence: unknown) => void;
  readonly onShown?: (record: Interaction, at: number) => void;
}

/** Few were decided lately; as many as a session can have open, decided in one batch, take some pages. */
const PAGE = { maxRecords: 4, maxBytes: LIMITS.pageBytes };

export class UndeliveredDecisions {
  readonly #ports: UndeliveredPorts;
  /** No decision can be taken back after this time; unknown after waking, until it is looked up. */
  #until: number | undefined;
  /** Shown to an agent while the disk was full. */
  readonly #unwritten = new Set<string>();

  constructor(ports: UndeliveredPorts) {
    this.#ports = ports;
  }

  /** Called with the records of each commit. */
  note(records: readonly Interaction[], now: number): void {
    if (records.some(isUnseen)) this.#until = now + LIMITS.undoMs;
  }

  /** The caller is about to see the log or a list of outcomes. Costs nothing where nothing was decided lately. */
  markShown(caller: Caller): void {
    const { store, now } = this.#ports;
    const at = now();
    if (this.#until !== undefined && this.#until < at) return;
    const recent = findRecent(store, at - LIMITS.undoMs).filter(isUnseen);
    const shown = recent.filter(({ openedBy }) => isAgentOf(caller, openedBy));
    for (const record of shown) this.#mark(record, at);
    if (shown.length === recent.length) this.#until = 0;
  }

  isShown({ interactionId }: Interaction): boolean {
    return this.#unwritten.has(interactionId);
  }

  /** A full disk must not keep an agent from reading. */
  #mark(record: Interaction, at: number): void {
    try {
      this.#ports.store.markShown(record, at);
      this.#ports.onShown?.(record, at);
    } catch (cause) {
      this.#unwritten.add(record.interactionId);
      this.#ports.warn('A reading could not be noted', cause);
    }
  }
}

/** What settled since, the last first. */
function findRecent(store: Pick<SessionStore, 'settled'>, since: number): Interaction[] {
  const found: Interaction[] = [];
  for (;;) {
    const { records, hasMore } = store.settled(PAGE, found.at(-1));
    const recent = records.filter(({ settledAt }) => (settledAt ?? 0) >= since);
    found.push(...recent);
    const isOver = recent.length < records.length || found.length >= LIMITS.openInteractions;
    if (isOver || !hasMore) return found;
  }
}

function isUnseen({ status, deliveredAt, shownAt }: Interaction): boolean {
  return status === 'settled' && deliveredAt === undefined && shownAt === undefined;
}

/** For a decision that is taken back: whether an agent is there, and the events since. */
export function findAftermath(
  { ports: { store }, subscribers, undelivered }: Session,
  { open, head }: SessionState,
  command: Command,
): { readonly aftermath: Aftermath } | undefined {
  if (command.type !== 'interaction.undo') return undefined;
  const record = recordById(store, open, command.interactionId);
  if (record === undefined) return undefined;
  const hasAgent =
    subscribers.isAgentWaiting(record) ||
    subscribers.isShownTo(record) ||
    undelivered.isShown(record);
  const fit = { maxEvents: LIMITS.pageMax, maxBytes: LIMITS.undoLogBytes };
  const chunk = store.readLogBefore(head + 1, fit);
  const events = JSON.parse(`[${chunk?.json ?? ''}]`) as SessionEvent[];
  const decidedAt = events.findLastIndex(
    ({ type, payload }) =>
      type === 'interaction_response' && payload.interactionId === record.interactionId,
  );
  const since = decidedAt < 0 ? undefined : { events: events.slice(decidedAt + 1) };
  return { aftermath: { hasAgent, ...since } };
}
