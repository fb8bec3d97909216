/** Everything of the bridge in one spread. */
import type { Holdpoint } from '../../client/agent/holdpoint.ts';
import { createCanUseTool } from './can-use-tool.ts';
import { createOnElicitation } from './on-elicitation.ts';
import type { BridgeSettings } from './options.ts';
import type { CanUseTool, OnElicitation } from './sdk-types.ts';

/**
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
