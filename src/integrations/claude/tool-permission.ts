/**
 * An approval for every other tool, with the SDK's description for the person.
 *
 * "Allow for session" is offered only if the SDK allows it. Claude Code then remembers no more than the person chose: rules
 * that allow this tool, in memory. Suggestions that change the mode, add a folder or write a settings file are left out,
 * because the person did not see them; `remember: 'as-suggested'` keeps them all.
 */
import type { ApprovalOutcome } from '../../client/agent/outcomes.ts';
import type { ToolCall } from '../../client/agent/requests.ts';
import type { Rule } from '../../protocol/types.ts';
import type { Bridge } from './bridge.ts';
import type { CanUseToolOptions, PermissionResult, PermissionUpdate } from './sdk-types.ts';
import { shownLines } from './sdk-values.ts';

export function callToAsk(
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

/** False if the SDK wants a decision each time, or has no suggestion. */
function mayRemember(options: CanUseToolOptions): boolean {
  const { suggestions = [], suppressAlwaysAllowRule, defaultToNo, matchedAskRule } = options;
  const asksEachTime =
    suppressAlwaysAllowRule === true ||
    defaultToNo === true ||
    options.requiresUserInteraction === true ||
    matchedAskRule !== undefined;
  return suggestions.length > 0 && !asksEachTime;
}

type ApprovedCall = Extract<ApprovalOutcome, { outcome: 'approved' }>;

export async function allowedCall(
  toolName: string,
  outcome: ApprovedCall,
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
  { interaction }: ApprovedCall,
  { suggestions = [] }: CanUseToolOptions,
  { client, remember = 'session' }: Bridge,
): Promise<PermissionUpdate[]> {
  if (remember === 'holdpoint' || interaction === undefined) return [];
  // A rule for exactly this input is narrower than any suggestion; only the rule itself says which one the person chose.
  const rule = await ruleOf(client, interaction.interactionId);
  if (rule === undefined || rule.inputDigest !== undefined) return [];
  if (remember === 'as-suggested') return [...suggestions];
  return suggestions.flatMap((update) => {
    const isAllow = update.type === 'addRules' && update.behavior === 'allow';
    if (!isAllow || !update.rules.every((one) => one.toolName === toolName)) return [];
    return [{ ...update, destination: 'session' as const }];
  });
}

/** Also undefined if the agent may not read rules: then only Holdpoint remembers, which is enough. */
async function ruleOf(client: Bridge['client'], interactionId: string): Promise<Rule | undefined> {
  try {
    const rules = await client.transport.rules(await client.session());
    return rules.find((rule) => rule.interactionId === interactionId);
  } catch {
    return undefined;
  }
}
