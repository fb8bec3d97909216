/** The signature with which Slack sends what people do: HMAC-SHA256 of `v0:timestamp:body` under the signing secret. */
import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { isSameText } from '../../../core/same-text.ts';
import { LIMITS } from '../../../protocol/limits.ts';
import type { SurfaceMessage } from '../surface.ts';

const SIGNED_AT = /^[1-9]\d{0,11}$/;
/** A header that was sent twice arrives joined by a comma, which no signature holds. */
const SIGNATURE = /^v0=[0-9a-f]{64}$/;

/** The problem with the message; undefined if the holder of the secret signed it less than five minutes ago. */
export function slackSignatureProblem(
  secret: string,
  { headers, body }: SurfaceMessage,
  now: number,
): string | undefined {
  const timestamp = headers['x-slack-request-timestamp'];
  const signature = headers['x-slack-signature'];
  if (timestamp === undefined || !SIGNED_AT.test(timestamp)) {
    return 'The header X-Slack-Request-Timestamp is missing or malformed';
  }
  if (signature === undefined || !SIGNATURE.test(signature)) {
    return 'The header X-Slack-Signature is missing or malformed';
  }
  if (Math.abs(now - Number(timestamp) * 1_000) > LIMITS.messageAgeMs) {
    return 'The message is too old, or of the future';
  }
  const mac = hmac(sha256, utf8ToBytes(secret), utf8ToBytes(`v0:${timestamp}:${body}`));
  return isSameText(signature, `v0=${bytesToHex(mac)}`)
    ? undefined
    : 'The signature is not one of this target';
}
