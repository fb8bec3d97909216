/**
 * Opens an interaction.
 *
 * The latest record of the tool call decides what a further opening means. The same request returns the same record,
 * open or settled; another request replaces an open record; another request after a settled record is a new step.
 * Only a request that replaces no open request goes to the gate. What an earlier instance of the same agent left behind is
 * reassigned to the same request of the present one (`reassign.ts`).
 *
 * The file is long because an opening is one decision: its checks, its limits and its event use the same latest record.
 */
import { openerOf, settlerOf } from '../../protocol/caller.ts';
import type { CommandOf } from '../../protocol/schema/command.ts';
import { type Rejection, reject } from '../../protocol/errors.ts';
import { schemaRejection } from '../../protocol/schema/rejection.ts';
import type { DraftEvent } from '../../protocol/schema/event.ts';
import { interactionId, parseInteractionId } from '../../protocol/ids.ts';
import type { Interaction, OpenCommon } from '../../protocol/schema/interaction.ts';
import type { CitedRule, RuleScope } from '../../protocol/schema/cited-rule.ts';
import type { Rule } from '../../protocol/schema/rule.ts';
import { rejectUninvolved } from '../audience.ts';
import { rejectForeignEnd } from '../authority.ts';
import { type Asked, chooseAudience } from '../choose-audience.ts';
import { accept, type DecisionResult, type GateVerdict, type Facts } from '../decision.ts';
import { replacesUndecided, rejectIfLogFull } from '../rejections.ts';
import { digestHeldInput, digestInput } from '../digest.ts';
import { gate, type GateResult } from '../gate.ts';
import type { ScopedRule } from '../rules/match-rule.ts';
import type { Kind } from '../kinds/kind.ts';
import { rejectIfFull, rejectIfTooLarge, rejectIfTooMany } from '../opening-limits.ts';
import {
  findLeftBehind,
  isReassignedFrom,
  mayReplace,
  pendingAfter,
  reassignInteraction,
} from '../reassign.ts';
import { attachmentFields, pendingEvent, settleByReprompt } from '../settle.ts';
import { draftEvents, startDraft } from '../session-draft.ts';
import { type SessionState, workingFolder } from '../state.ts';
import { hintFields, type ReadOpening, readOpening } from './read-opening.ts';

/** The event that starts the wait or ends the replaced interaction, and the request itself. */
const EVENTS_OF_OPENING = 2;

export type RequestEvent = Extract<DraftEvent, { type: 'interaction_request' }>;

export function openInteraction(
  state: SessionState,
  command: CommandOf<'interaction.open'>,
  facts: Facts,
  /** Ignores earlier answers, rules and mode: they allowed the call once, not a second run. */
  { mustAsk = false }: { readonly mustAsk?: boolean } = {},
): DecisionResult {
  const { common } = command;
  const opening = readOpening(command, facts.kinds);
  if ('ok' in opening) return opening;
  const { kind, digest, held } = opening;

  const latest = facts.record;
  const isNew =
    mustAsk ||
    latest?.requestDigest !== digest ||
    isReopening(common, latest) ||
    (latest.status === 'settled' && isReassignedFrom(common, latest));
  if (latest !== undefined && !isNew) {
    return accept(startDraft(state), {
      type: 'interaction',
      interactionId: latest.interactionId,
      created: false,
    });
  }
  const logFull = rejectIfLogFull(state, EVENTS_OF_OPENING);
  if (logFull !== undefined) return logFull;
  const replaced = latest?.status === 'open' && mayReplace(common, latest) ? latest : undefined;
  const foreignEnd =
    replaced && (rejectForeignEnd(facts.caller, replaced) ?? rejectUninvolved(facts, replaced));
  if (foreignEnd !== undefined) return foreignEnd;
  const seconds = timeoutSeconds(state, common, kind, facts);
  const { info } = state;
  const { audienceRules: rules = [] } = facts;
  const openFor = common.onExpire === 'keep' ? null : seconds;
  const { allowsQuorum } = kind;
  const asked = chooseAudience({
    info,
    common,
    rules,
    replaced,
    seconds: openFor,
    allowsQuorum,
  });
  const isFirst = latest === undefined && !mustAsk && !('ok' in asked);
  const left = isFirst ? findLeftBehind(state, { common, digest, asked }, facts) : undefined;
  const isGated = kind.gated && replaced === undefined && !mustAsk;
  const gated = isGated ? gateOpening(state, command, opening, facts) : undefined;
  // One person made the rule or the mode, and this request is for several, or for another one than who asks.
  const isForPeople = gated?.behavior === 'allow' && demandsPeople(asked);
  const verdict = gated?.behavior === 'ask' || isForPeople ? undefined : gated;
  // The answer of a person to this very request counts more than what a rule allows, and less than what the mode denies.
  const isAnswered = left?.status === 'settled' && verdict?.behavior !== 'deny';
  if (left !== undefined && (isAnswered || verdict === undefined)) {
    return reassignInteraction(state, left, common, facts);
  }
  if (verdict !== undefined) return recordGateVerdict(state, common, facts, opening, verdict);
  const tooMany = rejectIfTooMany(state, replaced);
  if (tooMany !== undefined) return tooMany;
  if ('ok' in asked) return asked;
  const about = {
    ...opening,
    seconds,
    asked,
    askedBy: gated?.behavior === 'ask' ? gated.by : undefined,
  };
  const requestEvent = createRequestEvent(state, command, about, facts);
  const { interactionId } = requestEvent.payload;
  const tooLarge =
    rejectIfTooLarge(state, requestEvent.payload, replaced) ?? rejectIfFull(facts, held?.fact);
  if (tooLarge !== undefined) return tooLarge;
  const by = settlerOf(facts.caller);
  const replacing =
    replaced === undefined
      ? []
      : [settleByReprompt(replaced, interactionId, { now: facts.now, by })];
  const waits = [pendingEvent({ ...common, ...requestEvent.payload }, true)];
  // Where another call of the agent waited until now, that wait ends.
  const pending = replaced === undefined ? waits : pendingAfter(replaced, requestEvent, waits);
  const draft = draftEvents(state, [...replacing, ...pending, requestEvent], facts.now);
  const opened = draft.records.get(interactionId);
  const unusable = opened && defaultAnswerProblem(kind, opened);
  return unusable ?? accept(draft, { type: 'interaction', interactionId, created: true });
}

function demandsPeople(asked: Asked | Rejection): boolean {
  return 'ok' in asked || (asked.quorum ?? asked.notRequester) !== undefined;
}

function gateOpening(
  state: SessionState,
  { common }: CommandOf<'interaction.open'>,
  { input, held }: ReadOpening,
  { now, workspaceRules = [] }: Facts,
): GateResult {
  const { info } = state;
  const call = {
    toolName: common.toolName,
    input,
    sha256: held?.fact.sha256,
    folder: workingFolder(info),
  };
  const rules = [...scopeRules(state.rules, 'session'), ...scopeRules(workspaceRules, 'workspace')];
  return gate(call, info.permissionMode, { rules, now }, info.agent?.tools);
}

function scopeRules(rules: readonly Rule[], scope: RuleScope): ScopedRule[] {
  return rules.map((rule) => ({ rule, scope }));
}

function isReopening(common: OpenCommon, latest: Interaction): boolean {
  return common.reopen === true && (latest.outcome === 'cancelled' || latest.outcome === 'expired');
}

function recordGateVerdict(
  state: SessionState,
  common: OpenCommon,
  facts: Facts,
  { input, held }: Pick<ReadOpening, 'input' | 'held'>,
  verdict: GateVerdict,
): DecisionResult {
  const { behavior, by } = verdict;
  const wholeInput = held && { wholeInput: held.fact };
  const { correlate } = common;
  const event: DraftEvent = {
    type: 'tool_call',
    ...(common.turnId !== undefined && { turnId: common.turnId }),
    ...(common.responseId !== undefined && { responseId: common.responseId }),
    // The id of a found call has the tool and input of that call, which this event would replace on every screen.
    toolCallId: (correlate === undefined ? common.toolCallId : undefined) ?? facts.freshId,
    payload: {
      toolName: common.toolName,
      input: held?.view ?? input,
      ...wholeInput,
      decided: { behavior, by },
      ...(correlate !== undefined && { correlate }),
    },
  };
  const decision = wholeInput && behavior === 'allow' ? { behavior, ...wholeInput, by } : verdict;
  return accept(draftEvents(state, [event], facts.now), { type: 'gate', decision });
}

/**
 * From the narrowest setting to the widest: the opening, the session, the deployment, then the default of the opener.
 * Without any of them there is no deadline.
 */
function timeoutSeconds(
  state: SessionState,
  common: OpenCommon,
  kind: Kind,
  facts: Facts,
): number | null {
  for (const seconds of [
    common.timeoutSeconds,
    state.info.timeouts[kind.name],
    facts.timeouts[kind.name],
    common.defaultTimeoutSeconds,
  ]) {
    if (seconds !== undefined) return seconds;
  }
  return null;
}

interface RequestContent extends ReadOpening {
  readonly seconds: number | null;
  /** The rule that wants a person to be asked. */
  readonly askedBy: CitedRule | undefined;
  readonly asked: Asked;
}

function createRequestEvent(
  state: SessionState,
  { common, correlated }: CommandOf<'interaction.open'>,
  { kind, request, input, digest, held, seconds, asked, askedBy }: RequestContent,
  facts: Facts,
): RequestEvent {
  const { now, caller, record: latest } = facts;
  const toolCallId = common.toolCallId ?? facts.freshId;
  const step = latest === undefined ? 1 : (parseInteractionId(latest.interactionId)?.step ?? 0) + 1;
  const id = interactionId(toolCallId, step);
  const at = {
    workspace: state.info.workspace,
    session: state.info.id,
    interactionId: id,
    toolName: common.toolName,
  };
  const { offers, allowEdit } = request;
  return {
    type: 'interaction_request',
    ...attachmentFields({ ...common, toolCallId }),
    payload: {
      interactionId: id,
      toolCallId,
      toolName: common.toolName,
      kind: kind.name,
      presentation: kind.presentation,
      request,
      ...(held !== undefined && { wholeInput: held.fact }),
      requestDigest: digest,
      inputDigest:
        held === undefined ? digestInput(at, input) : digestHeldInput(at, held.fact.sha256),
      ...(askedBy !== undefined && { askedBy }),
      ...(common.correlate !== undefined && { correlate: common.correlate }),
      ...(correlated !== undefined && { correlated }),
      ...(common.agentInstance !== undefined && { agentInstance: common.agentInstance }),
      openedAt: now,
      openedBy: openerOf(caller),
      expiresAt: seconds === null ? null : addSeconds(now, seconds),
      timeoutMs: seconds === null ? null : Math.round(seconds * 1_000),
      onExpire: common.onExpire ?? 'deny',
      ...(common.detached === true && { detached: true }),
      ...audienceFields(asked, now),
      ...hintFields(common),
      ...(latest !== undefined && mayReplace(common, latest) && carriedFields(latest, digest)),
      ...(Array.isArray(offers) && { offers: offers.map(String) }),
      ...(typeof allowEdit === 'boolean' && { allowEdit }),
    },
  };
}

function audienceFields(asked: Asked, now: number) {
  const { audience, remindAfter, escalateAfter, escalateTo, quorum, notRequester } = asked;
  return {
    ...(quorum !== undefined && { quorum }),
    ...(notRequester !== undefined && { notRequester }),
    ...(audience !== undefined && { audience }),
    ...(remindAfter !== undefined && { remindAt: addSeconds(now, remindAfter) }),
    ...(escalateAfter !== undefined && { escalateAt: addSeconds(now, escalateAfter) }),
    ...(escalateTo !== undefined && { escalateTo }),
  };
}

/** Whole milliseconds, as everywhere on the wire. */
function addSeconds(now: number, seconds: number): number {
  return now + Math.round(seconds * 1_000);
}

/** Fields that carry over from the replaced record, or from the record whose values the tool rejected. */
function carriedFields(latest: Interaction, digest: string): Partial<Interaction> {
  const typed = latest.values ?? latest.typedValues;
  return {
    ...(latest.status === 'open' && {
      replaces: latest.interactionId,
      reprompts: (latest.reprompts ?? 0) + 1,
    }),
    ...(followsUndecided(latest, digest) && { inputChanged: true }),
    ...(typed !== undefined && { typedValues: typed }),
  };
}

/**
 * Whether a screen may still show an earlier request of this call in place of the new one. A decided request is over.
 * A cancelled or expired request is not: cancelling one input and asking about another is a reprompt in two steps.
 */
function followsUndecided(latest: Interaction, digest: string): boolean {
  const isUndecided = latest.outcome === 'cancelled' || latest.outcome === 'expired';
  return isUndecided && (replacesUndecided(latest) || latest.requestDigest !== digest);
}

/** A declared answer must be able to settle the interaction; checked at the opening, where the author can correct it. */
function defaultAnswerProblem(kind: Kind, opened: Interaction): Rejection | undefined {
  const { onExpire } = opened;
  if (onExpire === 'deny' || onExpire === 'keep') return undefined;
  if (!kind.allowsDefaultAnswer) {
    return reject('invalid_request', `onExpire: time never answers for a ${kind.name}`);
  }
  const problem = kind.defaultAnswerProblem?.(opened.request);
  if (problem !== undefined) return reject('invalid_request', `onExpire: ${problem}`);
  const parsed = kind.answer.safeParse(onExpire.answer);
  if (!parsed.success) return schemaRejection(parsed.error);
  const effect = kind.interpret(opened, parsed.data);
  if (!effect.ok) return reject('invalid_request', `onExpire.answer: ${effect.message}`);
  if (effect.type !== 'settle' || effect.outcome !== 'answered') {
    return reject('invalid_request', 'onExpire.answer must answer everything that is asked');
  }
  return undefined;
}
