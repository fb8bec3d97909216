/** `holdpoint/claude`: the Claude Agent SDK asks people through Holdpoint. */
export { createCanUseTool } from './can-use-tool.ts';
export { claude } from './claude.ts';
export { EventQueue } from './event-queue.ts';
export { mergeWithInteractions } from './merge-with-interactions.ts';
export { createOnElicitation } from './on-elicitation.ts';
export type { ApprovedPlan, BridgeOptions, BridgeSettings } from './options.ts';
export type {
  CanUseTool,
  CanUseToolOptions,
  ElicitationRequest,
  ElicitationResult,
  OnElicitation,
  PermissionResult,
  PermissionUpdate,
} from './sdk-types.ts';
