/**
 * The acknowledgement of an outcome (ADP-2): a call acts on it only afterwards, and only the call that has the interaction
 * can. So of two runs of an agent that hold the same answer, one acts.
 */
import { rejectReassigned } from '../core/reassign.ts';
import { UNKNOWN_INTERACTION } from '../core/rejections.ts';
import { isUnacknowledged } from '../core/unacknowledged.ts';
import type { Caller } from '../protocol/caller.ts';
import { type ReadResult, reject } from '../protocol/errors.ts';
import type { Interaction, InteractionView } from '../protocol/schema/interaction.ts';
import { markDelivered } from './find-record.ts';
import { findForReader, requireState } from './queries.ts';
import type { Session } from './session.ts';
import { viewInteraction } from './view.ts';

/** A repeat by the same call is accepted. An outcome that no later call looks for is only marked as delivered. */
export function acknowledgeOutcome(
  session: Session,
  interactionId: string,
  toolCallId: string,
  caller: Caller,
): ReadResult<InteractionView> {
  const state = requireState(session);
  if ('ok' in state) return state;
  const { now, warn } = session.ports;
  const record = findForReader(session, state, interactionId, caller);
  if (record === undefined) return UNKNOWN_INTERACTION;
  const lost = rejectReassigned(toolCallId, record);
  if (lost !== undefined) return lost;
  if (record.status === 'open') {
    return reject('still_open', 'There is no outcome yet to acknowledge');
  }
  try {
    const known = isUnacknowledged(record)
      ? markAcknowledged(session, record, now())
      : markDelivered(session, record, caller);
    return { ok: true, value: viewInteraction(session.kinds, known, () => false) };
  } catch (cause) {
    warn('An acknowledgement could not be written', cause);
    return OUTCOME_NOT_WRITTEN;
  }
}

function markAcknowledged(
  { ports, agents }: Session,
  record: Interaction,
  at: number,
): Interaction {
  ports.store.acknowledge(record, at);
  const { interactionId, deliveredAt = at } = record;
  if (record.deliveredAt === undefined) agents.noteRead(interactionId, { deliveredAt });
  return { ...record, acknowledgedAt: at, deliveredAt };
}

const OUTCOME_NOT_WRITTEN = reject(
  'write_failed',
  'The acknowledgement could not be written, and nothing may run yet. Try again.',
);
