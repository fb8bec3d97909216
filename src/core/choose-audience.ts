/**
 * Whom a new request is for, and when a person is reminded or the next audience is asked.
 *
 * What the request names counts first, then what the replaced request had, then the first rule of the workspace that
 * matches. A rule with `override` comes before all of them: an agent may name whom it asks, and an administrator may
 * decide that it may not.
 */
import { type Rejection, reject } from '../protocol/errors.ts';
import type { AudienceRule } from '../protocol/schema/audience-rule.ts';
import { hasLabels, type StoredAudience } from '../protocol/schema/audience.ts';
import type { Interaction, OpenCommon, StoredQuorum } from '../protocol/schema/interaction.ts';
import { joinAudiences } from './audience.ts';
import type { SessionInfo } from './state.ts';

export interface Asked {
  readonly audience?: StoredAudience;
  readonly remindAfter?: number;
  readonly escalateAfter?: number;
  readonly escalateTo?: StoredAudience;
  readonly quorum?: StoredQuorum;
  readonly notRequester?: true;
}

interface Opening {
  readonly allowsQuorum: boolean;
  readonly info: SessionInfo;
  readonly common: OpenCommon;
  readonly rules: readonly AudienceRule[];
  readonly replaced: Interaction | undefined;
  /** Until the deadline; null where the request stays open after it, or has none. */
  readonly seconds: number | null;
}

/** A rejection for a time that the request names and that is never reached. */
export function chooseAudience(opening: Opening): Asked | Rejection {
  const { common, replaced, seconds } = opening;
  const { remindAfter, escalateAfter, escalateTo } = common;
  for (const [name, after] of Object.entries({ remindAfter, escalateAfter })) {
    if (after !== undefined && !isBefore(after, seconds)) {
      return reject('invalid_request', `${name}: must be before the deadline, ${seconds} s`);
    }
  }
  if (escalateTo !== undefined && escalateAfter === undefined) {
    return reject('invalid_request', 'escalateTo: say when, with escalateAfter');
  }
  const rule = opening.rules.find((one) => matches(one, opening));
  const isForced = rule?.override === true;
  const named = common.audience ?? replaced?.audience ?? rule?.audience;
  const quorum = opening.allowsQuorum ? chooseQuorum(opening, rule) : undefined;
  const chosen = isForced ? (rule.audience ?? named) : named;
  const audience = withVoters(chosen, quorum);
  const notRequester = common.notRequester ?? replaced?.notRequester ?? rule?.notRequester;
  const reminding = remindAfter ?? fitting(rule?.remindAfter, seconds);
  return {
    ...(audience !== undefined && { audience }),
    ...(reminding !== undefined && { remindAfter: reminding }),
    ...chooseEscalation(opening, rule),
    ...(quorum !== undefined && { quorum }),
    ...(notRequester !== undefined && { notRequester }),
  };
}

/** Never weaker than what a rule of the workspace or the replaced request demands: an agent could lower it otherwise. */
function chooseQuorum(
  { common, replaced }: Opening,
  rule: AudienceRule | undefined,
): StoredQuorum | undefined {
  const demands = [common.quorum, replaced?.quorum, rule?.quorum].filter(
    (one) => one !== undefined,
  );
  if (demands.length === 0) return undefined;
  const approvals = Math.max(...demands.map((one) => one.approvals));
  const of = rule?.quorum?.of ?? replaced?.quorum?.of ?? common.quorum?.of;
  return { approvals, ...(of !== undefined && { of }) };
}

/** Who counts is asked. */
function withVoters(
  audience: StoredAudience | undefined,
  quorum: StoredQuorum | undefined,
): StoredAudience | undefined {
  if (quorum?.of === undefined) return audience;
  return audience === undefined ? quorum.of : joinAudiences(audience, quorum.of);
}

/** The time and the next audience belong together: both are the request's, or both the rule's. */
function chooseEscalation(
  { common, replaced, seconds }: Opening,
  rule: AudienceRule | undefined,
): Pick<Asked, 'escalateAfter' | 'escalateTo'> {
  const isForced = rule?.override === true;
  const ofRule = fitting(rule?.escalateAfter, seconds);
  const isOfRule = ofRule !== undefined && (isForced || common.escalateAfter === undefined);
  const escalateAfter = isOfRule ? ofRule : common.escalateAfter;
  const own = isForced ? undefined : (common.escalateTo ?? replaced?.escalateTo);
  const escalateTo = isOfRule ? rule?.escalateTo : own;
  return {
    ...(escalateAfter !== undefined && { escalateAfter }),
    ...(escalateAfter !== undefined && escalateTo !== undefined && { escalateTo }),
  };
}

function matches(
  { kinds, tools, sessions, labels }: AudienceRule,
  { info, common }: Opening,
): boolean {
  return (
    (kinds?.includes(common.kind) ?? true) &&
    (tools?.includes(common.toolName) ?? true) &&
    (sessions === undefined || info.id.startsWith(sessions)) &&
    hasLabels(labels, info.labels ?? {})
  );
}

function isBefore(after: number, seconds: number | null): boolean {
  return seconds === null || after < seconds;
}

/** The default of a rule that a short deadline overtakes never comes, and refuses no request. */
function fitting(after: number | undefined, seconds: number | null): number | undefined {
  return after !== undefined && isBefore(after, seconds) ? after : undefined;
}
