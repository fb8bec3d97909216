/**
 * Takes back a decision that no agent has taken (INT-19).
 *
 * The decided interaction stays settled, as superseded by a new interaction of the same tool call that asks the same again.
 * A new one, because its digest is another: an answer, a link or a button that was made for the first request cannot decide
 * the second. An agent that comes for the first one finds the second (`session/find-record.ts`).
 *
 * 1. It is one commit, and storage writes it only while no agent has the outcome. Of an agent that takes the outcome and a
 *    person who takes it back, one wins.
 * 2. What the decision changed beside its outcome goes with it: the rule it made, and the permission mode.
 * 3. Only what a person decided, only that person or an administrator, and only before anything followed from it.
 */
import { isOwnAct, mayAct, settlerOf } from '../../protocol/caller.ts';
import { isSameName } from '../../protocol/same-name.ts';
import { type Rejection, reject } from '../../protocol/errors.ts';
import { interactionId, parseInteractionId } from '../../protocol/ids.ts';
import { updatedRecord } from '../../protocol/interaction-record.ts';
import { LIMITS } from '../../protocol/limits.ts';
import type { Settler } from '../../protocol/schema/actor.ts';
import type { DraftEvent, SessionEvent } from '../../protocol/schema/event.ts';
import type { Interaction } from '../../protocol/schema/interaction.ts';
import { type Aftermath, accept, type DecisionResult, type Facts } from '../decision.ts';
import { digestHeldInput, digestInput } from '../digest.ts';
import { findKind } from '../kinds/kind.ts';
import { rejectIfFull, rejectIfTooLarge, rejectIfTooMany } from '../opening-limits.ts';
import { rejectIfLogFull, UNKNOWN_INTERACTION } from '../rejections.ts';
import { addEvents, draftEvents, startDraft } from '../session-draft.ts';
import { attachmentFields, interactionFields, pendingEvent } from '../settle.ts';
import type { SessionState } from '../state.ts';
import type { RequestEvent } from './open.ts';

/** The mark on the decided interaction, the wait, the request, its call, and what the decision changed beside. */
const EVENTS_OF_UNDO = 5;
/** Of a deadline that was nearly reached: long enough to decide again. */
const MIN_TIME_LEFT_MS = 60_000;

type UndoneEvent = Extract<DraftEvent, { type: 'interaction_update' }>;
type Decided = Interaction & { readonly settledBy: Settler; readonly settledAt: number };

export function undoDecision(state: SessionState, facts: Facts): DecisionResult {
  const { record, now, caller } = facts;
  if (record === undefined) {
    return UNKNOWN_INTERACTION;
  }
  const { undone, replacedBy } = record;
  if (undone !== undefined && replacedBy !== undefined && isOwnAct(caller, undone.by)) {
    const reply = { type: 'interaction', interactionId: replacedBy, created: false } as const;
    return accept(startDraft(state), reply);
  }
  if (record.status === 'open') {
    return reject('still_open', 'Nobody has decided this yet', { because: 'open' });
  }
  if (!isDecidedRecord(record)) {
    return rejectUndo('not_decided', 'Only a decision of a person can be taken back');
  }
  const refused =
    rejectOthers(facts, record) ??
    rejectDelivered(facts, record) ??
    rejectIfLogFull(state, EVENTS_OF_UNDO) ??
    rejectIfTooMany(state, undefined) ??
    rejectIfTooLarge(state, record, undefined) ??
    rejectIfFull(facts, record.wholeInput);
  if (refused !== undefined) return refused;
  const by = settlerOf(caller);
  const request = requestAgain(state, facts, record, by);
  const { interactionId: next } = request.payload;
  const mark: UndoneEvent = {
    type: 'interaction_update',
    ...attachmentFields(record),
    payload: {
      ...interactionFields(record),
      change: 'undone',
      undone: { outcome: record.outcome ?? 'cancelled', by, at: now },
      replacedBy: next,
      by,
    },
  };
  const asked = draftEvents(state, [mark, pendingEvent(request.payload, true), request], now);
  const settings = settingsBefore(state, record, by);
  const draft = addEvents(asked, [...sameCall(request, record, by), ...settings], now);
  const marked = updatedRecord(record, { seq: state.head + 1, at: now, ...mark });
  const records = new Map([[record.interactionId, marked], ...draft.records]);
  const reply = { type: 'interaction', interactionId: next, created: true } as const;
  return accept({ ...draft, records }, reply);
}

const DECIDED: ReadonlySet<string | null> = new Set(['approved', 'denied', 'answered']);
const NO_PERSON: ReadonlySet<string> = new Set(['rule', 'timeout', 'system']);

function isDecidedRecord(record: Interaction): record is Decided {
  const { outcome, settledBy, settledAt, defaulted } = record;
  const isOfPerson = settledBy !== null && !NO_PERSON.has(settledBy.via) && defaulted !== true;
  return DECIDED.has(outcome) && isOfPerson && settledAt !== null;
}

function rejectOthers(
  { caller }: Facts,
  { settledBy, votes = [] }: Decided,
): Rejection | undefined {
  const deciders = [settledBy, ...votes.map(({ by }) => by)];
  const isOwn = deciders.some((by) => isOwnAct(caller, by));
  if (isOwn || mayAct(caller, 'admin')) return undefined;
  if (deciders.some(({ subject }) => isSameName(subject, caller.subject))) return UNPROVEN_DECIDER;
  return reject(
    'forbidden',
    `Only ${settledBy.subject}, who decided this, or an administrator may take it back`,
    { settledBy: { ...settledBy } },
  );
}

const UNPROVEN_DECIDER = reject(
  'forbidden',
  'This credential uses the name of the person who decided this without proof: a key made it. Sign in, or use a token that an administrator made for you.',
  { needs: 'person' },
);

/** Also where the agent may have acted on the outcome without saying that it has it. */
function rejectDelivered(facts: Facts, record: Decided): Rejection | undefined {
  const { now, kinds, aftermath } = facts;
  const { settledAt, reprompts = 0 } = record;
  const problem = findKind(kinds, record).undoProblem(record);
  if (problem !== undefined) return rejectUndo('final', problem);
  if (mayHaveReached(record) || aftermath?.hasAgent !== false) {
    return rejectUndo('delivered', 'The agent has this decision already');
  }
  if (now - settledAt > LIMITS.undoMs) {
    return rejectUndo('late', 'A decision can be taken back for ten minutes');
  }
  if (reprompts >= LIMITS.repromptsPerToolCall) {
    return rejectUndo('late', 'This call was asked about too many times');
  }
  return hasMovedOn(record, aftermath)
    ? rejectUndo('moved_on', 'Work went on after this decision')
    : undefined;
}

function mayHaveReached({ deliveredAt, acknowledgedAt, shownAt }: Interaction): boolean {
  return (deliveredAt ?? acknowledgedAt ?? shownAt) !== undefined;
}

type Because = 'not_decided' | 'final' | 'delivered' | 'late' | 'moved_on';

function rejectUndo(because: Because, message: string): Rejection {
  return reject('not_undoable', message, { because });
}

/** The call was reported or asked about again, or the run that it belongs to is over. */
function hasMovedOn(record: Decided, { events }: Pick<Aftermath, 'events'>): boolean {
  return events === undefined || events.some((event) => isFollowedBy(record, event));
}

function isFollowedBy(
  { toolCallId, turnId, openedBy, reassignedTo }: Decided,
  event: SessionEvent,
) {
  const isOfCall = event.toolCallId === toolCallId || event.toolCallId === reassignedTo?.toolCallId;
  switch (event.type) {
    case 'tool_call':
    case 'tool_result':
    case 'interaction_request':
      return event.toolCallId !== undefined && isOfCall;
    case 'context_cleared':
      return true;
    case 'turn_started':
    case 'turn_ended':
    case 'error': {
      const isOfTurn = turnId !== undefined && event.turnId === turnId;
      const isOfAgent = event.payload.by?.credential === openedBy.credential;
      const isStop = event.type === 'turn_ended' && event.payload.reason === 'interrupted';
      return isOfTurn || isOfAgent || isStop;
    }
    default:
      return false;
  }
}

/** The same request as a further step of the call, with the time that was left when it was decided. */
function requestAgain(
  { info }: SessionState,
  { now, kinds }: Facts,
  record: Decided,
  by: Settler,
): RequestEvent {
  const { toolCallId, toolName, kind, presentation, request, wholeInput, outcome } = record;
  const { settledAt, settledBy, expiresAt, escalateAt, remindAt, values, typedValues } = record;
  const step = (parseInteractionId(record.interactionId)?.step ?? 0) + 1;
  const id = interactionId(toolCallId, step);
  const at = { workspace: info.workspace, session: info.id, interactionId: id, toolName };
  const typed = values ?? typedValues;
  const passed = now - settledAt;
  const { offers, allowEdit } = request;
  return {
    type: 'interaction_request',
    ...attachmentFields(record),
    payload: {
      interactionId: id,
      toolCallId,
      toolName,
      kind,
      presentation,
      request,
      ...(wholeInput !== undefined && { wholeInput }),
      requestDigest: record.requestDigest,
      inputDigest:
        wholeInput === undefined
          ? digestInput(at, findKind(kinds, record).input(request))
          : digestHeldInput(at, wholeInput.sha256),
      ...keptFields(record),
      openedAt: now,
      expiresAt: expiresAt === null ? null : Math.max(expiresAt + passed, now + MIN_TIME_LEFT_MS),
      ...(remindAt !== undefined && { remindAt: remindAt + passed }),
      ...(escalateAt !== undefined && { escalateAt: escalateAt + passed }),
      undoes: {
        interactionId: record.interactionId,
        outcome: outcome ?? 'cancelled',
        settledBy,
        settledAt,
        by,
      },
      reprompts: (record.reprompts ?? 0) + 1,
      ...(typed !== undefined && { typedValues: typed }),
      ...(Array.isArray(offers) && { offers: offers.map(String) }),
      ...(typeof allowEdit === 'boolean' && { allowEdit }),
    },
  };
}

function keptFields(record: Interaction) {
  const { correlate, correlated, agentInstance, detached, audience, escalateTo } = record;
  const { openedBy, timeoutMs, onExpire, errorSummary, fieldErrors } = record;
  const { quorum, notRequester } = record;
  return {
    openedBy,
    timeoutMs,
    onExpire,
    ...(correlate !== undefined && { correlate }),
    ...(correlated !== undefined && { correlated }),
    ...(agentInstance !== undefined && { agentInstance }),
    ...(detached !== undefined && { detached }),
    ...(audience !== undefined && { audience }),
    ...(escalateTo !== undefined && { escalateTo }),
    ...(quorum !== undefined && { quorum }),
    ...(notRequester !== undefined && { notRequester }),
    ...(errorSummary !== undefined && { errorSummary }),
    ...(fieldErrors !== undefined && { fieldErrors }),
  };
}

/** A call of a later instance of the agent that had the question has it again. */
function sameCall(
  { payload }: RequestEvent,
  { reassignedTo, ...record }: Interaction,
  by: Settler,
): DraftEvent[] {
  if (reassignedTo === undefined) return [];
  const about = interactionFields({ ...record, interactionId: payload.interactionId });
  return [
    {
      type: 'interaction_update',
      ...attachmentFields(record),
      payload: { ...about, change: 'reassigned', reassignedTo, by },
    },
  ];
}

/** The rule that the decision made and the mode that it set, unless a person has changed them since. */
function settingsBefore(state: SessionState, record: Interaction, by: Settler): DraftEvent[] {
  const rule = state.rules.find((one) => one.interactionId === record.interactionId);
  const { modeChange } = record;
  // Only an administrator returns to the mode that asks no person.
  const mayRestore = modeChange !== undefined && modeChange.from !== 'bypassPermissions';
  const isSet = mayRestore && state.info.permissionMode === modeChange.to;
  if (rule === undefined && !isSet) return [];
  return [
    {
      type: 'session_updated',
      payload: {
        ...(rule !== undefined && { ruleRevoked: rule.id }),
        ...(isSet && { permissionMode: modeChange.from }),
        by,
      },
    },
  ];
}
