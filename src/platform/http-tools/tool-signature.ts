/**
 * Requests to HTTP tools, signed as Standard Webhooks says, and the secret with which a workspace's tools check them.
 *
 * The secret is derived from the secret of the deployment: nothing has to be stored, one workspace cannot sign for
 * another, and the derived secret does not reveal the deployment's. An administrator hands it to the operator of the
 * tool.
 *
 * A repeated request has the id and the body of the first one, `isRepeat` apart, and a time of its own: a receiver that
 * remembers ids runs a call once, and a receiver that checks the time refuses a replayed request.
 */
import type { HttpToolCall } from '../../agent/tools/ports.ts';
import { encodeBase64 } from '../../protocol/base64.ts';

type Bytes = Uint8Array<ArrayBuffer>;

/** The line break keeps this apart from every text that the deployment's secret signs elsewhere. */
const PURPOSE = 'holdpoint http tools\n';

/** In the form of Standard Webhooks, which their libraries take. */
export async function toolSigningSecret(secret: string, workspace: string): Promise<string> {
  return `whsec_${encodeBase64(await toolSigningKey(secret, workspace))}`;
}

export interface SignedRequest {
  readonly method: 'POST';
  readonly headers: Record<string, string>;
  readonly body: string;
}

export async function signedRequest(
  call: HttpToolCall,
  signingSecret: string,
  now: number,
): Promise<SignedRequest> {
  const { toolName: tool, input, sessionId, turnId, toolCallId, isRepeat } = call;
  const body = JSON.stringify({ tool, input, sessionId, turnId, toolCallId, isRepeat });
  const seconds = Math.floor(now / 1_000);
  const key = await toolSigningKey(signingSecret, call.workspace);
  const signature = encodeBase64(await hmacSha256(key, `${toolCallId}.${seconds}.${body}`));
  return {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'idempotency-key': toolCallId,
      'webhook-id': toolCallId,
      'webhook-timestamp': String(seconds),
      'webhook-signature': `v1,${signature}`,
    },
    body,
  };
}

function toolSigningKey(secret: string, workspace: string): Promise<Bytes> {
  return hmacSha256(encodeUtf8(secret), `${PURPOSE}${workspace}`);
}

/** Web Crypto: the same in a Worker and in Node. */
async function hmacSha256(key: Bytes, text: string): Promise<Bytes> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const imported = await crypto.subtle.importKey('raw', key, algorithm, false, ['sign']);
  return new Uint8Array(await crypto.subtle.sign('HMAC', imported, encodeUtf8(text)));
}

function encodeUtf8(text: string): Bytes {
  return new Uint8Array(new TextEncoder().encode(text));
}
