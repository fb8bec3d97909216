/** A person says that they look at a request (HAND-1): advice for others, who may answer all the same. */
import { settlerOf } from '../../protocol/caller.ts';
import { reject } from '../../protocol/errors.ts';
import { LIMITS } from '../../protocol/limits.ts';
import type { CommandOf } from '../../protocol/schema/command.ts';
import type { DraftEvent } from '../../protocol/schema/event.ts';
import { rejectOutsider } from '../audience.ts';
import { accept, type DecisionResult, type Facts } from '../decision.ts';
import { rejectIfLogFull, rejectSettled } from '../rejections.ts';
import { draftEvents } from '../session-draft.ts';
import { attachmentFields, interactionFields } from '../settle.ts';
import type { SessionState } from '../state.ts';

export function claimInteraction(
  state: SessionState,
  { release }: CommandOf<'interaction.claim'>,
  facts: Facts,
): DecisionResult {
  const { record, caller, now } = facts;
  if (record === undefined) {
    return reject('not_found', 'There is no such interaction in this session');
  }
  if (record.status === 'settled') return rejectSettled(record);
  const refused = rejectOutsider(facts, record) ?? rejectIfLogFull(state, 1);
  if (refused !== undefined) return refused;
  const { claim } = record;
  const isOwn = claim?.by.subject === caller.subject;
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
