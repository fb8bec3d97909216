/** The official clients and the official conformance suite, outside the lockfile: only this run needs them. */
import { installPackages } from '../e2e-agents/install-packages.ts';

export const PINS = {
  '@modelcontextprotocol/client': '2.4.0',
  '@modelcontextprotocol/sdk': '1.32.2',
  '@modelcontextprotocol/conformance': '0.2.0-alpha.12',
  // A peer of the old SDK.
  zod: '4.6.7',
} as const;

/** The folder whose node_modules has them. */
export function installMcp(): string {
  return installPackages('mcp', PINS);
}
