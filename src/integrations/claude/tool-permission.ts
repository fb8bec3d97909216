/**
 * Any other tool: an approval, with what the SDK says about it for the person to read.
 *
 * "Allow for session" is offered only where the SDK allows to remember anything. What Claude Code is
 * then told to remember is never more than the person chose: rules that allow this very tool, in its
 * memory. A suggestion that changes the mode, adds a folder or writes a settings file is left out,
 * because nobody was shown it; `remember: 'as-suggested'` takes them all.
 */
import type { ApprovalOutcome } from '../../client/agent/outcomes.ts';
import type { ToolCall } from '../../client/agent/requests.ts';
import type { Rule } from '../../protocol/types.ts';
import type { Bridge } from './bridge.ts';
import type { CanUseToolOptions, PermissionResult, PermissionUpdate } from './sdk-types.ts';
import { shownLines } from './sdk-values.ts';

export function askedCall(
  toolName: string,
  input: Record<string, unknown>,
  options: CanUseToolOptions,
  { allowEdit = true }: Pick<Bridge, 'allowEdit'>,
): ToolCall {
  const description = aboutCall(options);
  return {
    toolName,
    input,
    allowEdit,
    offers: mayRemember(options) ? ['once', 'session'] : ['once'],
    ...(description !== undefined && { description }),
  };
}

function aboutCall(options: CanUseToolOptions): string | undefined {
  const { title, description, decisionReason, blockedPath, mcpServer, agentID } = options;
  const labeled = (label: string, text: string | undefined) =>
    text === undefined ? undefined : `${label}: ${text}`;
  return shownLines([
    title,
    description,
    labeled('Why it is asked', decisionReason),
    labeled('Because of the path', blockedPath),
    labeled('MCP server', mcpServer && `${mcpServer.name} (${mcpServer.source})`),
    labeled('Subagent', agentID),
  ]);
}

/** Somebody wants a person to look each time, or there is nothing to remember. */
function mayRemember(options: CanUseToolOptions): boolean {
  const { suggestions = [], suppressAlwaysAllowRule, defaultToNo, matchedAskRule } = options;
  const wantsEachTime =
    suppressAlwaysAllowRule === true ||
    defaultToNo === true ||
    options.requiresUserInteraction === true ||
    matchedAskRule !== undefined;
  return suggestions.length > 0 && !wantsEachTime;
}

type Approved = Extract<ApprovalOutcome, { outcome: 'approved' }>;

export async function allowedCall(
  toolName: string,
  outcome: Approved,
  options: CanUseToolOptions,
  bridge: Bridge,
): Promise<PermissionResult> {
  const { updatedInput, offer, by } = outcome;
  const isForSession = offer === 'session';
  const updates = isForSession ? await toRemember(toolName, outcome, options, bridge) : [];
  const isRemembered = isForSession || 'rule' in by;
  return {
    behavior: 'allow',
    updatedInput,
    ...(updates.length > 0 && { updatedPermissions: updates }),
    ...(!('mode' in by) && {
      decisionClassification: isRemembered ? 'user_permanent' : 'user_temporary',
    }),
  };
}

async function toRemember(
  toolName: string,
  { interaction }: Approved,
  { suggestions = [] }: CanUseToolOptions,
  { client, remember = 'session' }: Bridge,
): Promise<PermissionUpdate[]> {
  if (remember === 'holdpoint' || interaction === undefined) return [];
  // "Exactly this input" is less than any suggestion; only the rule itself says which was chosen.
  const rule = await ruleOf(client, interaction.interactionId);
  if (rule === undefined || rule.inputDigest !== undefined) return [];
  if (remember === 'as-suggested') return [...suggestions];
  return suggestions.flatMap((update) => {
    const isAllow = update.type === 'addRules' && update.behavior === 'allow';
    if (!isAllow || !update.rules.every((one) => one.toolName === toolName)) return [];
    return [{ ...update, destination: 'session' as const }];
  });
}

/** Undefined also if the agent may not read: then Holdpoint alone remembers, which is enough. */
async function ruleOf(client: Bridge['client'], interactionId: string): Promise<Rule | undefined> {
  try {
    const rules = await client.transport.rules(await client.session());
    return rules.find((rule) => rule.interactionId === interactionId);
  } catch {
    return undefined;
  }
}
