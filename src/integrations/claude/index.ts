/** `holdpoint/claude`: the Claude Agent SDK asks people through Holdpoint. */
import type { Holdpoint } from '../../client/agent/holdpoint.ts';
import { canUseToolOf, createCanUseTool } from './can-use-tool.ts';
import { createOnElicitation } from './on-elicitation.ts';
import { bridgeOf, type BridgeSettings, type PersonEdit } from './bridge.ts';
import type { CanUseTool, HostHooks, OnElicitation, SdkHooks } from './claude-sdk.ts';
import { bridgeHooks, type DeferSettings } from './hooks.ts';

export { createCanUseTool } from './can-use-tool.ts';
export { EventQueue } from './merge-with-interactions.ts';
export { mergeWithInteractions } from './merge-with-interactions.ts';
export { createOnElicitation } from './on-elicitation.ts';
export type { ApprovedPlan, BridgeOptions, BridgeSettings, WiredTool } from './bridge.ts';
export type { DeferSettings } from './hooks.ts';
export type {
  CanUseTool,
  CanUseToolOptions,
  ElicitationRequest,
  ElicitationResult,
  OnElicitation,
  PermissionResult,
  PermissionUpdate,
} from './claude-sdk.ts';

/** What a run of the SDK takes from the bridge. */
export interface ClaudeCallbacks {
  readonly canUseTool: CanUseTool;
  readonly onElicitation: OnElicitation;
}

export interface HookSettings<Own extends HostHooks> extends BridgeSettings {
  /**
   * Hooks of your own, to which the bridge adds its own: with these the model learns what a person changed. With `false` the
   * bridge has none, and the model is not told.
   */
  readonly hooks?: Own | false | undefined;
  /**
   * For waits of hours: a call that no person has decided within a few seconds ends the run (`tool_deferred`), and the resumed
   * run finds the answer. The session needs a name, which both runs give.
   */
  readonly defer?: boolean | DeferSettings | undefined;
}

/**
 * Both callbacks in one spread, and the hooks with which the model learns what a person changed.
 *
 * ```ts
 * query({ prompt, options: { permissionMode: 'default', ...claude(connect()) } });
 * ```
 */
export function claude(
  client: Holdpoint,
  settings: BridgeSettings & { readonly hooks: false; readonly defer?: false | undefined },
): ClaudeCallbacks;
export function claude(
  client: Holdpoint,
  settings?: BridgeSettings & {
    readonly hooks?: undefined;
    readonly defer?: boolean | DeferSettings | undefined;
  },
): ClaudeCallbacks & { readonly hooks: SdkHooks };
export function claude<Own extends HostHooks>(
  client: Holdpoint,
  settings: HookSettings<Own> & { readonly hooks: Own },
): ClaudeCallbacks & { readonly hooks: SdkHooks & Own };
export function claude(
  client: Holdpoint,
  { hooks: own, defer = false, ...settings }: HookSettings<HostHooks> = {},
): ClaudeCallbacks & { readonly hooks?: HostHooks } {
  const options = { ...settings, client };
  const onElicitation = createOnElicitation(options);
  if (own === false && defer === false) {
    return { canUseTool: createCanUseTool(options), onElicitation };
  }
  const known = { asked: new Set<string>(), edits: new Map<string, PersonEdit>() };
  const bridge = { ...bridgeOf(options), known };
  const deferring = defer === true ? {} : defer;
  const hooks = bridgeHooks(bridge, deferring === false ? undefined : deferring);
  return {
    canUseTool: canUseToolOf(bridge),
    onElicitation,
    hooks: mergeHooks(own === false ? {} : own, hooks),
  };
}

/** For each event the host's own hooks and the ones of the bridge; the SDK runs all of them. */
function mergeHooks(own: HostHooks = {}, hooks: SdkHooks): HostHooks {
  const merged: Record<string, readonly unknown[] | undefined> = { ...own };
  for (const [event, added] of Object.entries(hooks)) {
    merged[event] = [...(own[event] ?? []), ...added];
  }
  return merged;
}
