/** Makes a rule of a session, if it is a good one, is no copy, and the session has room; and says why a rule is no good one. */
import { type Rejection, reject } from '../../protocol/errors.ts';
import { LIMITS } from '../../protocol/limits.ts';
import type { Rule, RuleEffect } from '../../protocol/schema/rule.ts';
import type { Facts } from '../decision.ts';
import type { SessionState } from '../state.ts';
import { isShell, readsPosix } from '../../protocol/shell-tools.ts';
import { isLive, isFetchTool, isFileTool } from './match-rule.ts';
import { prefixProblem } from './command-prefix.ts';
import { hostProblem } from './host-pattern.ts';
import { globProblem } from './path-glob.ts';

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

export type ProposedRule = Pick<
  Rule,
  'toolName' | 'inputDigest' | 'command' | 'path' | 'host' | 'everyCommand'
> & { readonly effect: RuleEffect };

/** The field that is wrong, and a sentence. */
export interface RuleProblem {
  readonly field: keyof ProposedRule | 'expiresAt' | 'input';
  readonly message: string;
}

/** Why a rule cannot be made; undefined for a good one. */
export function ruleProblem(rule: ProposedRule): RuleProblem | undefined {
  const { effect, toolName, command, path, host, inputDigest, everyCommand } = rule;
  const patterns = [command, path, host, inputDigest].filter((one) => one !== undefined);
  if (patterns.length > 1) return ONE_PATTERN;
  const isForAll = patterns.length === 0;
  const allows = effect === 'allow';
  if (everyCommand === true && !(allows && isForAll)) return NOT_EVERY_COMMAND;
  if (allows && isForAll && isShell(toolName) && everyCommand !== true) return EVERY_COMMAND;
  if (command !== undefined) {
    const isReadable = !allows || (readsPosix(toolName) && !toolName.endsWith('*'));
    if (!isReadable) {
      return problemWith('command', `The commands of ${toolName} cannot be read; name one shell`);
    }
    return problemWith('command', prefixProblem(command, effect));
  }
  if (path !== undefined) {
    const unknown = `Which fields of ${toolName} are paths is not known; name a tool such as Edit`;
    const isKnown = !allows || isFileTool(toolName);
    return problemWith('path', isKnown ? globProblem(path) : unknown);
  }
  if (host !== undefined) {
    const unknown = `Whether ${toolName} fetches only its url is not known; name a tool such as WebFetch`;
    const isKnown = !allows || isFetchTool(toolName);
    return problemWith('host', isKnown ? hostProblem(host) : unknown);
  }
  return undefined;
}

const ONE_PATTERN: RuleProblem = {
  field: 'input',
  message: 'Give one of an exact input, command, path and host',
};
const NOT_EVERY_COMMAND: RuleProblem = {
  field: 'everyCommand',
  message: 'Only for a rule that allows every input of a tool',
};
const EVERY_COMMAND: RuleProblem = {
  field: 'everyCommand',
  message:
    'This tool runs any command. Narrow the rule to a command or an exact input, or send everyCommand: true to allow every command without asking anyone',
};

function problemWith(
  field: RuleProblem['field'],
  message: string | undefined,
): RuleProblem | undefined {
  return message === undefined ? undefined : { field, message };
}
