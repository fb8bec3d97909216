/**
 * The secret that a workspace's HTTP tools check their requests with.
 *
 * It is derived from the secret of the deployment: nothing has to be stored, one workspace cannot sign for another, and
 * nobody gets from it to the secret it came from. An administrator hands it to whoever runs the tool.
 */
import { hmacSha256, toBase64 } from './hmac.ts';

/** Holds a line break, so that it is no text that the deployment's secret signs elsewhere. */
const PURPOSE = 'holdpoint http tools\n';

/** In the form of Standard Webhooks, which their libraries take. */
export async function toolSigningSecret(secret: string, workspace: string): Promise<string> {
  return `whsec_${toBase64(await toolSigningKey(secret, workspace))}`;
}

export function toolSigningKey(
  secret: string,
  workspace: string,
): Promise<Uint8Array<ArrayBuffer>> {
  return hmacSha256(secret, `${PURPOSE}${workspace}`);
}
