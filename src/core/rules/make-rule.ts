/** Makes a rule of a session, if it is a good one, is no copy, and the session has room. */
import { type Rejection, reject } from '../../protocol/errors.ts';
import { LIMITS } from '../../protocol/limits.ts';
import type { Rule } from '../../protocol/schema/rule.ts';
import type { Facts } from '../decision.ts';
import type { SessionState } from '../state.ts';
import { isLive } from './judge-call.ts';
import { type ProposedRule, ruleProblem } from './rule-problem.ts';

export type NewRule = ProposedRule & Pick<Rule, 'expiresAt' | 'reason'>;

/** Undefined if the session has an equal rule already. */
export function makeRule(
  { rules }: Pick<SessionState, 'rules'>,
  wanted: NewRule,
  about: Pick<Rule, 'interactionId'>,
  { now, freshId, caller }: Pick<Facts, 'now' | 'freshId' | 'caller'>,
): Rule | Rejection | undefined {
  const refused = rejectRule(wanted, now);
  if (refused !== undefined) return refused;
  const live = rules.filter((rule) => isLive(rule, now));
  if (live.some((rule) => isSameRule(rule, wanted))) return undefined;
  if (live.length >= LIMITS.rules) {
    return reject('limit_reached', 'This session has too many rules; revoke one first', {
      limit: 'rules',
      max: LIMITS.rules,
    });
  }
  return { id: freshId, ...wanted, createdAt: now, createdBy: caller.subject, ...about };
}

export function rejectRule(wanted: NewRule, now: number): Rejection | undefined {
  const over = { field: 'expiresAt' as const, message: 'This time is over' };
  const problem = ruleProblem(wanted) ?? (isLive(wanted, now) ? undefined : over);
  if (problem === undefined) return undefined;
  const { field, message } = problem;
  return reject('invalid_values', `The rule: ${message}`, { fieldErrors: { [field]: message } });
}

/** What a rule does, without who made it and why. */
const SAME_FIELDS = [
  'toolName',
  'inputDigest',
  'command',
  'path',
  'host',
  'everyCommand',
  'expiresAt',
] as const;

export function isSameRule(rule: Rule, wanted: NewRule): boolean {
  const isSameEffect = (rule.effect ?? 'allow') === wanted.effect;
  return isSameEffect && SAME_FIELDS.every((field) => rule[field] === wanted[field]);
}
