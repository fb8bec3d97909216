/**
 * Whom a new request is for, and when a person is reminded or the next audience is asked.
 *
 * What the request names counts first, then what the replaced request had, then the first rule of the workspace that
 * matches. A rule with `override` comes before all of them: an agent may name whom it asks, and an administrator may
 * decide that it may not.
 */
import { type Rejection, reject } from '../protocol/errors.ts';
import { hasLabels, type StoredAudience } from '../protocol/schema/audience.ts';
import type { AudienceRule } from '../protocol/schema/audience-rule.ts';
import type { Interaction, OpenCommon } from '../protocol/schema/interaction.ts';
import type { SessionInfo } from './state.ts';

export interface Asked {
  readonly audience?: StoredAudience;
  readonly remindAfter?: number;
  readonly escalateAfter?: number;
  readonly escalateTo?: StoredAudience;
}

interface Opening {
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
  const audience = isForced
    ? rule.audience
    : (common.audience ?? replaced?.audience ?? rule?.audience);
  const reminding = remindAfter ?? fitting(rule?.remindAfter, seconds);
  return {
    ...(audience !== undefined && { audience }),
    ...(reminding !== undefined && { remindAfter: reminding }),
    ...chooseEscalation(opening, rule),
  };
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
