/** A person says that they look at a request (HAND-1): advice for others, who may answer all the same. */
import { isOwnAct, settlerOf } from '../../protocol/caller.ts';
import { LIMITS } from '../../protocol/limits.ts';
import type { CommandOf } from '../../protocol/schema/command.ts';
import type { DraftEvent } from '../../protocol/schema/event.ts';
import { findAskedRecord } from '../audience.ts';
import { accept, type DecisionResult, type Facts } from '../decision.ts';
import { draftEvents } from '../session-draft.ts';
import { attachmentFields, interactionFields } from '../settle.ts';
import type { SessionState } from '../state.ts';

export function claimInteraction(
  state: SessionState,
  { release }: CommandOf<'interaction.claim'>,
  facts: Facts,
): DecisionResult {
  const { caller, now } = facts;
  const found = findAskedRecord(state, facts);
  if (!found.ok) return found;
  const record = found.value;
  const { claim } = record;
  const isOwn = claim !== undefined && isOwnAct(caller, claim.by);
  const by = settlerOf(caller);
  const about = { ...interactionFields(record), by };
  // A page repeats its claim while it is open: each event is stored for good.
  const isFresh = isOwn && claim.until - now > LIMITS.claimMs / 2;
  const isUnchanged = release === true ? !isOwn : isFresh;
  const payload =
    release === true
      ? ({ ...about, change: 'released' } as const)
      : ({ ...about, change: 'claimed', claim: { by, until: now + LIMITS.claimMs } } as const);
  const event: DraftEvent = { type: 'interaction_update', ...attachmentFields(record), payload };
  const { interactionId } = record;
  return accept(draftEvents(state, isUnchanged ? [] : [event], now), {
    type: 'interaction',
    interactionId,
  });
}
