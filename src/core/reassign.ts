/**
 * A killed agent is not asked twice (ADP-2): the same request of its next instance finds what the earlier one left behind.
 *
 * An instance is one life of an agent, which names itself in `agentInstance`. After a kill the model repeats its call under a
 * new id. The interaction of the old call is then reassigned to the new one: an open question stays as it is for people, and
 * an answer that no agent has received is received now. It happens in the commit of the opening, so that two instances
 * cannot both have it.
 *
 * 1. Only the same credential, in the same session, with the same request: kind, tool, input, and everything a person saw.
 * 2. Never within one instance: its two equal calls are two questions. Never while an agent waits for the outcome, or in the
 *    first second, in which it may not wait yet.
 * 3. Only an answer of a person counts, for a day. A deadline, a cancel and a reprompt are no answers.
 * 4. The call that had it before must run nothing: its client sees `reassignedTo`.
 */
import { mayAct, settlerOf } from '../protocol/caller.ts';
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
  const { leftBehind } = facts;
  if (leftBehind === undefined || opening.common.agentInstance === undefined) return undefined;
  const isOf = (record: Interaction) => isOfEarlierInstance(record, opening, facts);
  return (
    leftBehind.undelivered.find((record) => isOf(record) && isFreshAnswer(record, facts)) ??
    listOpenInteractions(state).find(
      (record) => leftBehind.unattended.has(record.interactionId) && isOf(record),
    )
  );
}

function isOfEarlierInstance(
  record: Interaction,
  { common, digest, asked }: FirstOpening,
  { caller, now }: Facts,
): boolean {
  const { agentInstance } = record.reassignedTo ?? record;
  const askedAt = record.reassignedTo?.at ?? record.openedAt;
  return (
    agentInstance !== undefined &&
    now - askedAt >= LIMITS.reassignAfterMs &&
    agentInstance !== common.agentInstance &&
    record.openedBy.credential === caller.credential &&
    record.requestDigest === digest &&
    covers(asked, record.audience)
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

const ANSWERS: ReadonlySet<string | null> = new Set(['approved', 'denied', 'answered']);

function isFreshAnswer(record: Interaction, { now, caller, forbidSelfApproval = true }: Facts) {
  const { outcome, deliveredAt, defaulted = false, settledAt, settledBy } = record;
  const isOwnAnswer = settledBy?.credential === caller.credential && !mayAct(caller, 'admin');
  return (
    ANSWERS.has(outcome) &&
    deliveredAt === undefined &&
    !defaulted &&
    settledAt !== null &&
    now - settledAt <= LIMITS.undeliveredAnswerMs &&
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
export function isReassignedFrom({ toolCallId }: OpenCommon, record: Interaction): boolean {
  const { reassignedTo } = record;
  return reassignedTo !== undefined && reassignedTo.toolCallId !== toolCallId;
}

/** A call to which the interaction was reassigned, and from which it was reassigned again, ends nothing of it. */
export function mayReplace(common: OpenCommon, record: Interaction): boolean {
  return record.toolCallId === common.toolCallId || !isReassignedFrom(common, record);
}

/** The call that asked first waits in the log; a reassigned call that changes its request begins to wait by itself. */
export function pendingAfter(
  replaced: Interaction,
  { toolCallId }: Pick<DraftEvent, 'toolCallId'>,
  waits: readonly DraftEvent[],
): readonly DraftEvent[] {
  return replaced.toolCallId === toolCallId ? [] : [pendingEvent(replaced, false), ...waits];
}
