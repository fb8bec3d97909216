/**
 * A killed agent is not asked twice (ADP-2): the same request of its next instance finds what the earlier one left behind.
 *
 * An instance is one life of an agent, which names itself in `agentInstance`. After a kill the model repeats its call under a
 * new id. The interaction of the old call is then reassigned to the new one: an open question stays as it is for people, and
 * an answer that no call has acknowledged is the answer of the new call. It happens in the commit of the opening.
 *
 * Whether the earlier instance is gone cannot be known: its connection may outlive it by a minute. So the acknowledgement
 * decides. A call acts on an outcome only after it has acknowledged it, which only the call that has the interaction can.
 *
 * 1. Only the same credential, in the same session, with the same request: kind, tool, input, and everything a person saw.
 * 2. Never within one instance: its two equal calls are two questions.
 * 3. Only an answer of a person counts, for a day. A deadline, a cancel and a reprompt are no answers.
 * 4. The call that had it before must run nothing. If its agent lives, it asks anew.
 */
import { mayAct, settlerOf } from '../protocol/caller.ts';
import { type Rejection, reject } from '../protocol/errors.ts';
import { LIMITS } from '../protocol/limits.ts';
import type { StoredAudience } from '../protocol/schema/audience.ts';
import type { DraftEvent } from '../protocol/schema/event.ts';
import type { Interaction, OpenCommon } from '../protocol/schema/interaction.ts';
import { joinAudiences } from './audience.ts';
import type { Asked } from './choose-audience.ts';
import { accept, type DecisionResult, type Facts } from './decision.ts';
import { draftEvents } from './session-draft.ts';
import { attachmentFields, interactionFields, pendingEvent } from './settle.ts';
import { listOpenInteractions, type SessionState } from './state.ts';
import { isUnacknowledged } from './unacknowledged.ts';

interface FirstOpening {
  readonly common: OpenCommon;
  readonly digest: string;
  readonly asked: Asked;
}

/** An answer comes before an open question, and the oldest question before the others. */
export function findLeftBehind(
  state: SessionState,
  opening: FirstOpening,
  facts: Facts,
): Interaction | undefined {
  if (opening.common.agentInstance === undefined) return undefined;
  const isOf = (record: Interaction) => isOfEarlierInstance(record, opening, facts);
  return (
    facts.unacknowledged?.find((record) => isOf(record) && isFreshAnswer(record, facts)) ??
    listOpenInteractions(state).find(isOf)
  );
}

function isOfEarlierInstance(
  record: Interaction,
  { common, digest, asked }: FirstOpening,
  { caller }: Facts,
): boolean {
  const { agentInstance } = record.reassignedTo ?? record;
  return (
    agentInstance !== undefined &&
    agentInstance !== common.agentInstance &&
    record.openedBy.credential === caller.credential &&
    record.requestDigest === digest &&
    covers(asked, record.audience) &&
    isNoWeaker(asked, record)
  );
}

/** Whether everyone whom the earlier request asked is asked by the new one too, now or later. */
function covers({ audience, escalateTo }: Asked, earlier: StoredAudience | undefined): boolean {
  if (audience === undefined) return true;
  if (earlier === undefined) return false;
  const allowed = escalateTo === undefined ? audience : joinAudiences(audience, escalateTo);
  return (['subjects', 'groups', 'targets'] as const).every((sort) =>
    (earlier[sort] ?? []).every((name) => allowed?.[sort]?.includes(name) === true),
  );
}

/** A rule of the workspace may demand more people by now. */
function isNoWeaker({ quorum, notRequester }: Asked, earlier: Interaction): boolean {
  const { approvals = 0 } = earlier.quorum ?? {};
  return (
    (quorum === undefined || approvals >= quorum.approvals) &&
    (notRequester === undefined || earlier.notRequester === true)
  );
}

function isFreshAnswer(record: Interaction, { now, caller, forbidSelfApproval = true }: Facts) {
  const { settledAt, settledBy } = record;
  const isOwnAnswer = settledBy?.credential === caller.credential && !mayAct(caller, 'admin');
  return (
    isUnacknowledged(record) &&
    settledAt !== null &&
    now - settledAt <= LIMITS.unacknowledgedAnswerMs &&
    !(forbidSelfApproval && isOwnAnswer)
  );
}

export function reassignInteraction(
  state: SessionState,
  record: Interaction,
  { toolCallId, agentInstance = '' }: OpenCommon,
  { now, caller, freshId }: Facts,
): DecisionResult {
  const event: DraftEvent = {
    type: 'interaction_update',
    ...attachmentFields(record),
    payload: {
      ...interactionFields(record),
      change: 'reassigned',
      reassignedTo: { toolCallId: toolCallId ?? freshId, agentInstance, at: now },
      by: settlerOf(caller),
    },
  };
  const { interactionId } = record;
  const reply = { type: 'interaction', interactionId, created: false } as const;
  return accept(draftEvents(state, [event], now), reply);
}

/** Another call has the interaction by now. */
export function isReassignedFrom(
  { toolCallId }: Pick<OpenCommon, 'toolCallId'>,
  record: Interaction,
): boolean {
  const { reassignedTo } = record;
  return reassignedTo !== undefined && reassignedTo.toolCallId !== toolCallId;
}

/** For a call that wants to act on the outcome, or to take its question back. */
export function rejectReassigned(toolCallId: string, record: Interaction): Rejection | undefined {
  if (!isReassignedFrom({ toolCallId }, record)) return undefined;
  const message = 'Another run of this agent has asked the same and has this now; run nothing';
  return reject('reassigned', message);
}

/** A call to which the interaction was reassigned, and from which it was reassigned again, ends nothing of it. */
export function mayReplace(common: OpenCommon, record: Interaction): boolean {
  return record.toolCallId === common.toolCallId || !isReassignedFrom(common, record);
}

/** The call goes on waiting, now for the new request; a reassigned call that changes it waits in the place of the first. */
export function pendingAfter(
  replaced: Interaction,
  { toolCallId }: Pick<DraftEvent, 'toolCallId'>,
  waits: readonly DraftEvent[],
): readonly DraftEvent[] {
  return replaced.toolCallId === toolCallId ? waits : [pendingEvent(replaced, false), ...waits];
}
