/**
 * Opens several interactions in one commit: the events are those of the same openings one after another (INT-20).
 *
 * Each is decided on what the earlier ones leave. The facts were read before the batch, so what an earlier opening of the
 * batch changes in a stored record is applied to them here; without it two equal calls would take the same answer. A
 * refused opening neither undoes nor stops the others. A commit writes each record once, so an opening that would change
 * what an earlier one of the batch opened is refused.
 */
import type { CommandOf } from '../../protocol/schema/command.ts';
import type { Interaction } from '../../protocol/schema/interaction.ts';
import type { DraftEvent } from '../../protocol/schema/event.ts';
import { reject, type Rejection } from '../../protocol/errors.ts';
import {
  accept,
  type Decision,
  type DecisionResult,
  type Facts,
  type OpenedReply,
  type OpeningFacts,
} from '../decision.ts';
import { addDecision, isReassignment, startDraft } from '../session-draft.ts';
import { findOpenForToolCall, type SessionState } from '../state.ts';
import { openInteraction } from './open.ts';
import { type OpenCommand, readOpening } from './read-opening.ts';

export function openInteractions(
  state: SessionState,
  { openings }: CommandOf<'interactions.open'>,
  facts: Facts,
): DecisionResult {
  let draft = startDraft(state);
  const results: (OpenedReply | Rejection)[] = [];
  const earlier = new EarlierOpenings();
  for (const [index, opening] of openings.entries()) {
    if ('ok' in opening) {
      results.push(opening);
      continue;
    }
    const own = facts.openings?.[index] ?? { freshId: facts.freshId };
    const { openings: _all, ...shared } = facts;
    const present = { ...shared, ...earlier.adjust(draft.state, opening, own) };
    const given = openInteraction(draft.state, opening, present);
    const decided = given.ok && earlier.isOpenedBefore(given) ? ASKED_BEFORE : given;
    results.push(decided.ok ? openedReply(decided) : decided);
    if (!decided.ok) continue;
    draft = addDecision(draft, decided);
    earlier.note(opening, decided, facts);
  }
  return accept(draft, { type: 'openings', results });
}

function openedReply({ reply }: Decision): OpenedReply {
  if (reply.type === 'interaction' || reply.type === 'gate') return reply;
  throw new Error(`An opening was answered as ${reply.type}`);
}

const ASKED_BEFORE = reject(
  'invalid_request',
  'Another request of this batch asks about this call; send this one by itself',
);

/** What the earlier openings of a batch changed outside of the state. */
class EarlierOpenings {
  /** Settled records that a later instance of their agent has by now. */
  readonly #reassigned = new Map<string, Interaction>();
  readonly #created = new Set<string>();
  #heldBytes = 0;

  /** True if a decision changes a record that an earlier opening made. */
  isOpenedBefore({ records }: Decision): boolean {
    return [...records.keys()].some((id) => this.#created.has(id));
  }

  adjust(state: SessionState, { common }: OpenCommand, own: OpeningFacts): OpeningFacts {
    const { toolCallId } = common;
    const open = toolCallId === undefined ? undefined : findOpenForToolCall(state.open, toolCallId);
    const record = open ?? this.#latestOf(toolCallId, own.record);
    const { unacknowledged, heldBytes } = own;
    return {
      freshId: own.freshId,
      ...(record !== undefined && { record }),
      ...(unacknowledged && { unacknowledged: unacknowledged.map((one) => this.#present(one)) }),
      ...(heldBytes !== undefined && { heldBytes: heldBytes + this.#heldBytes }),
    };
  }

  note(opening: OpenCommand, { events, reply }: Decision, facts: Facts): void {
    const reads = facts.openings?.flatMap(({ unacknowledged = [] }) => unacknowledged) ?? [];
    for (const event of events.filter(isReassignment)) this.#reassign(event, reads, facts.now);
    if (reply.type !== 'interaction' || reply.created !== true) return;
    this.#created.add(reply.interactionId);
    const read = readOpening(opening, facts.kinds);
    if (!('ok' in read)) this.#heldBytes += read.held?.fact.bytes ?? 0;
  }

  /** As the storage changes the record. An open one is part of the state, which its event changed. */
  #reassign(
    { payload }: Extract<DraftEvent, { type: 'interaction_update' }>,
    reads: readonly Interaction[],
    now: number,
  ): void {
    const { interactionId, reassignedTo } = payload;
    const stored = reads.find((one) => one.interactionId === interactionId);
    if (stored === undefined || reassignedTo === undefined) return;
    const { deliveredAt = now, rev } = this.#present(stored);
    this.#reassigned.set(interactionId, { ...stored, deliveredAt, reassignedTo, rev: rev + 1 });
  }

  #present(record: Interaction): Interaction {
    return this.#reassigned.get(record.interactionId) ?? record;
  }

  /** The latest record of the call itself, else the one that it has from an earlier instance. */
  #latestOf(toolCallId: string | undefined, stored: Interaction | undefined) {
    if (stored !== undefined && stored.toolCallId === toolCallId) return this.#present(stored);
    const taken = [...this.#reassigned.values()].find(
      ({ reassignedTo }) => toolCallId !== undefined && reassignedTo?.toolCallId === toolCallId,
    );
    return taken ?? (stored && this.#present(stored));
  }
}
