/** Why a rule cannot be made; undefined for a good one. */
import type { Rule, RuleEffect } from '../../protocol/schema/rule.ts';
import { isShell, readsPosix } from '../../protocol/shell-tools.ts';
import { prefixProblem } from './command-prefix.ts';
import { hostProblem } from './host-pattern.ts';
import { isFetchTool, isFileTool } from './match-rule.ts';
import { globProblem } from './path-glob.ts';

export type ProposedRule = Pick<
  Rule,
  'toolName' | 'inputDigest' | 'command' | 'path' | 'host' | 'everyCommand'
> & { readonly effect: RuleEffect };

/** The field that is wrong, and a sentence. */
export interface RuleProblem {
  readonly field: keyof ProposedRule | 'expiresAt' | 'input';
  readonly message: string;
}

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
