/**
 * What the rules of a session and of its workspace decide about a call: the strictest that is about it wins.
 *
 * A command is allowed if rules cover each simple command in it, not necessarily the same one. A rule counts until its
 * expiry, by the server's clock. A bug here runs a call that no person allowed.
 */
import type { CitedRule, RuleScope } from '../../protocol/schema/cited-rule.ts';
import type { Rule } from '../../protocol/schema/rule.ts';
import { describePattern } from '../../protocol/rule-words.ts';
import { coversCommand, readPrefix } from './command-prefix.ts';
import type { Finding } from './finding.ts';
import {
  coversCall,
  coversTool,
  matchCall,
  readAnyCommand,
  readRuledCommand,
  type RuledCall,
} from './match-rule.ts';
import type { ParsedCommand } from './parse-command.ts';

export interface ScopedRule {
  readonly rule: Rule;
  readonly scope: RuleScope;
}

export type RuleVerdict =
  | { readonly effect: 'allow' | 'deny'; readonly by: CitedRule; readonly reason?: string }
  /** `isUnclear`: whether a rule that denies or asks is about this input cannot be read from it. */
  | { readonly effect: 'ask'; readonly by: CitedRule; readonly isUnclear?: true };

/** Undefined if no rule is about the call. */
export function judgeCall(
  rules: readonly ScopedRule[],
  call: RuledCall,
  now: number,
): RuleVerdict | undefined {
  const live = rules.filter(({ rule }) => isLive(rule, now) && coversTool(rule, call.toolName));
  if (live.length === 0) return undefined;
  return judgeStrict(live, call) ?? judgeAllowed(live, call);
}

export function isLive({ expiresAt }: Pick<Rule, 'expiresAt'>, now: number): boolean {
  return expiresAt === undefined || expiresAt > now;
}

function judgeStrict(live: readonly ScopedRule[], call: RuledCall): RuleVerdict | undefined {
  let parsed: ParsedCommand | undefined;
  const readOnce = () => (parsed ??= readAnyCommand(call));
  let asks: { readonly found: Finding; readonly by: ScopedRule } | undefined;
  for (const effect of ['deny', 'ask'] as const) {
    for (const by of live) {
      if (by.rule.effect !== effect) continue;
      const found = matchCall(by.rule, call, readOnce);
      if (found === 'yes' && effect === 'deny') return denied(by);
      const isFirst = asks === undefined || (asks.found === 'unclear' && found === 'yes');
      if (found !== 'no' && isFirst) asks = { found, by };
    }
  }
  if (asks === undefined) return undefined;
  const isUnclear = asks.found === 'unclear';
  return { effect: 'ask', by: citeRule(asks.by), ...(isUnclear && { isUnclear }) };
}

function denied(by: ScopedRule): RuleVerdict {
  const { reason } = by.rule;
  return { effect: 'deny', by: citeRule(by), ...(reason !== undefined && { reason }) };
}

function judgeAllowed(live: readonly ScopedRule[], call: RuledCall): RuleVerdict | undefined {
  const allowing = live.filter(({ rule }) => (rule.effect ?? 'allow') === 'allow');
  const whole = allowing.find(({ rule }) => coversCall(rule, call));
  if (whole !== undefined) return { effect: 'allow', by: citeRule(whole) };
  const byWords = allowing.flatMap((by) => {
    const { command } = by.rule;
    return command === undefined ? [] : [{ by, prefix: readPrefix(command) }];
  });
  const parsed = byWords.length === 0 ? undefined : readRuledCommand(call);
  if (parsed === undefined || !parsed.isUnderstood || parsed.commands.length === 0)
    return undefined;
  const used = new Set<ScopedRule>();
  for (const command of parsed.commands) {
    const found = byWords.find(({ prefix }) => coversCommand(prefix, command));
    if (found === undefined) return undefined;
    used.add(found.by);
  }
  const [first, ...others] = [...used];
  if (first === undefined) return undefined;
  const ids = others.map(({ rule }) => rule.id);
  return { effect: 'allow', by: { ...citeRule(first), ...(ids.length > 0 && { others: ids }) } };
}

/** Whether this rule alone allows the call, as a rule that is offered beside the call must. */
export function allowsByItself(rule: Rule, call: RuledCall): boolean {
  return (
    judgeAllowed([{ rule, scope: 'session' }], call) !== undefined &&
    coversTool(rule, call.toolName)
  );
}

function citeRule({ rule, scope }: ScopedRule): CitedRule {
  const { id, createdBy } = rule;
  return { rule: id, scope, createdBy, pattern: describePattern(rule) };
}
