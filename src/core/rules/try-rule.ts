/**
 * What a rule would have made of earlier requests: each is judged by the rules of the workspace with it and without it.
 *
 * Rules of sessions and modes are not known here, but what they made of a request is: a denial stays one, and a request
 * that a rule of its session wanted to be asked is still asked.
 */
import type { GatedRequest, GateOutcome } from '../../protocol/schema/gated-request.ts';
import type { Rule } from '../../protocol/schema/rule.ts';
import { judgeCall } from './judge-call.ts';
import type { RuledCall } from './match-rule.ts';

export type Trial =
  | { readonly isTried: false }
  | { readonly isTried: true; readonly before: GateOutcome; readonly after: GateOutcome };

export function tryRule(
  proposed: Rule,
  known: readonly Rule[],
  request: GatedRequest,
  now: number,
): Trial {
  const { input, ruleDigest, toolName, folder, outcome: before } = request;
  const isTried =
    input !== null && (proposed.inputDigest === undefined || ruleDigest !== undefined);
  if (!isTried) return { isTried };
  const call: RuledCall = { toolName, input, folder, ruleDigest: ruleDigest ?? '' };
  const judge = (rules: readonly Rule[]) =>
    judgeCall(
      rules.map((rule) => ({ rule, scope: 'workspace' as const })),
      call,
      now,
    )?.effect;
  const effect = judge([...known, proposed]);
  const isSame = effect === judge(known);
  return { isTried, before, after: isSame ? before : outcomeAfter(request, effect) };
}

function outcomeAfter({ outcome, by }: GatedRequest, effect: Rule['effect']): GateOutcome {
  if (outcome === 'denied' || effect === 'deny') return 'denied';
  if (effect === 'ask') return 'asked';
  const isWanted = by !== undefined && 'rule' in by;
  return outcome === 'asked' && isWanted ? 'asked' : 'allowed';
}
