/** The approval that a person gets for a call of the SDK, from `canUseTool` and from a hook. */
import type { ToolCall } from '../../client/agent/requests.ts';
import type { Bridge } from './bridge.ts';
import { type CanUseToolOptions, shownLines } from './claude-sdk.ts';

/** An approval for every other tool, with the SDK's description for the person. */
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

/** The same as a hook asks it, which has no description and no suggestions: its rules are those of Holdpoint. */
export function hookedCall(
  toolName: string,
  input: Record<string, unknown>,
  { allowEdit = true }: Pick<Bridge, 'allowEdit'>,
): ToolCall {
  return { toolName, input, allowEdit, offers: ['once', 'session'] };
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

/** "Allow for session" is not offered if the SDK wants a decision each time, or has no suggestion. */
function mayRemember(options: CanUseToolOptions): boolean {
  const { suggestions = [], suppressAlwaysAllowRule, defaultToNo, matchedAskRule } = options;
  const asksEachTime =
    suppressAlwaysAllowRule === true ||
    defaultToNo === true ||
    options.requiresUserInteraction === true ||
    matchedAskRule !== undefined;
  return suggestions.length > 0 && !asksEachTime;
}
