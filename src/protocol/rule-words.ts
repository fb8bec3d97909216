/** What a rule covers, in a few words of this service; a screen may put its own around them. */
import type { Rule } from './schema/rule.ts';

type RulePattern = Pick<Rule, 'toolName' | 'inputDigest' | 'command' | 'path' | 'host'>;

/** `Bash: npm test …`, `Edit: src/**`, `WebFetch: *.example.org`, `Bash: one exact input`, `Read: any input`. */
export function describePattern(rule: RulePattern): string {
  return `${rule.toolName}: ${describeRuleInput(rule)}`;
}

function describeRuleInput({ inputDigest, command, path, host }: RulePattern): string {
  if (command !== undefined) return `${command} …`;
  return path ?? host ?? (inputDigest === undefined ? 'any input' : 'one exact input');
}
