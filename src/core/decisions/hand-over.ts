/** One of those who are asked has others asked in their place (HAND-2). */
import { settlerOf } from '../../protocol/caller.ts';
import { reject } from '../../protocol/errors.ts';
import { LIMITS } from '../../protocol/limits.ts';
import type { CommandOf } from '../../protocol/schema/command.ts';
import type { DraftEvent } from '../../protocol/schema/event.ts';
import { joinAudiences, findAskedRecord } from '../audience.ts';
import { accept, type DecisionResult, type Facts } from '../decision.ts';
import { draftEvents } from '../session-draft.ts';
import { attachmentFields, interactionFields } from '../settle.ts';
import type { SessionState } from '../state.ts';

const HANDED_OVER_TOO_OFTEN = reject(
  'limit_reached',
  `A request is handed over ${LIMITS.handovers} times at most; one of those who are asked now answers it, or an administrator`,
  { limit: 'handovers', max: LIMITS.handovers },
);

export function handOverInteraction(
  state: SessionState,
  { audience: to, note }: CommandOf<'interaction.handover'>,
  facts: Facts,
): DecisionResult {
  const { caller, now } = facts;
  const found = findAskedRecord(state, facts);
  if (!found.ok) return found;
  const record = found.value;
  const { number = record.handover === undefined ? 0 : 1 } = record.handover ?? {};
  if (number >= LIMITS.handovers) return HANDED_OVER_TOO_OFTEN;
  const { of } = record.quorum ?? {};
  // Without the people of the quorum, no approval could count.
  const audience = of === undefined ? to : joinAudiences(to, of);
  const by = settlerOf(caller);
  const event: DraftEvent = {
    type: 'interaction_update',
    ...attachmentFields(record),
    payload: {
      ...interactionFields(record),
      change: 'handed_over',
      ...(audience !== undefined && { audience }),
      handover: {
        by,
        at: now,
        to,
        from: record.audience ?? null,
        number: number + 1,
        ...(note !== undefined && { note }),
      },
      by,
    },
  };
  const { interactionId } = record;
  return accept(draftEvents(state, [event], now), { type: 'interaction', interactionId });
}
