/** `holdpoint/claude`: the Claude Agent SDK asks people through Holdpoint. */
import type { Holdpoint } from '../../client/agent/holdpoint.ts';
import { createCanUseTool } from './can-use-tool.ts';
import { createOnElicitation } from './on-elicitation.ts';
import type { BridgeSettings } from './bridge.ts';
import type { CanUseTool, OnElicitation } from './claude-sdk.ts';

export { createCanUseTool } from './can-use-tool.ts';
export { EventQueue } from './merge-with-interactions.ts';
export { mergeWithInteractions } from './merge-with-interactions.ts';
export { createOnElicitation } from './on-elicitation.ts';
export type { ApprovedPlan, BridgeOptions, BridgeSettings } from './bridge.ts';
export type {
  CanUseTool,
  CanUseToolOptions,
  ElicitationRequest,
  ElicitationResult,
  OnElicitation,
  PermissionResult,
  PermissionUpdate,
} from './claude-sdk.ts';

/**
 * Both callbacks in one spread.
 *
 * ```ts
 * query({ prompt, options: { permissionMode: 'default', ...claude(connect()) } });
 * ```
 */
export function claude(
  client: Holdpoint,
  settings: BridgeSettings = {},
): { readonly canUseTool: CanUseTool; readonly onElicitation: OnElicitation } {
  const options = { ...settings, client };
  return { canUseTool: createCanUseTool(options), onElicitation: createOnElicitation(options) };
}
