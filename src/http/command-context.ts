/** What goes with a command besides its caller: the defaults of the workspace, over those of the deployment. */
import type { Caller } from '../protocol/caller.ts';
import type { Context } from '../protocol/schema/command.ts';
import type { HttpPorts } from './ports.ts';

export async function commandContext(
  caller: Caller,
  workspace: string,
  { config, policy }: Pick<HttpPorts, 'config' | 'policy'>,
): Promise<Context> {
  const { settings } = await policy.get(workspace);
  return {
    caller,
    timeouts: { ...config.timeouts, ...settings.timeouts },
    forbidSelfApproval: settings.forbidSelfApproval ?? config.forbidSelfApproval,
    ...(settings.permissionMode !== undefined && { permissionMode: settings.permissionMode }),
  };
}
