/**
 * The request of one call, signed as Standard Webhooks says.
 *
 * The id and the body of a repeat are those of the first request but for `isRepeat`, and its time is its own: a
 * receiver that remembers ids runs a call once, and one that checks the time takes no request that somebody kept.
 */
import type { HttpToolCall } from '../../agent/tools/tool-ports.ts';
import { hmacSha256, toBase64 } from './hmac.ts';
import { toolSigningKey } from './tool-signing-secret.ts';

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
  const signature = toBase64(await hmacSha256(key, `${toolCallId}.${seconds}.${body}`));
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
