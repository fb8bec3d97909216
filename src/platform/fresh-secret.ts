/** The secrets of targets. */
import { secretText } from '../core/delivery/webhook-signature.ts';

/** As many as HMAC-SHA256 uses. */
const SECRET_BYTES = 32;

/** The secret of a new target, in the form of Standard Webhooks. */
export function freshSecret(): string {
  return secretText(crypto.getRandomValues(new Uint8Array(SECRET_BYTES)));
}
