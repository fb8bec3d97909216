/**
 * The key that signs what an MCP client carries from one round of a question to the next.
 *
 * It is derived from the secret of the deployment, so that every isolate has it and nothing is stored. One workspace
 * cannot take the state of another.
 */
import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { utf8ToBytes } from '@noble/hashes/utils.js';

/** The line break keeps this apart from every text that the deployment's secret signs elsewhere. */
const ROUNDS_PURPOSE = 'holdpoint mcp rounds\n';

export function mcpStateKey(secret: string, workspace: string): Uint8Array {
  return hmac(sha256, utf8ToBytes(secret), utf8ToBytes(`${ROUNDS_PURPOSE}${workspace}`));
}
