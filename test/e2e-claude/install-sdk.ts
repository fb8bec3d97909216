/**
 * The real SDK, outside the lockfile: its program has 355 MB and a license of its own, so only a run that needs it
 * installs it.
 */
import { installProgram } from '../support/install-program.ts';

export const SDK = '@anthropic-ai/claude-agent-sdk';
export const SDK_VERSION = '0.3.326';

/** The folder whose node_modules has the SDK. */
export function installSdk(): string {
  return installProgram('claude-sdk', SDK, SDK_VERSION);
}
