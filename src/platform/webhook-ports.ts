/** What webhooks need of chance and clock. */
import { secretText } from '../core/delivery/webhook-signature.ts';
import type { TargetPorts } from '../delivery/ports.ts';

export const deliveryTimes: Pick<TargetPorts, 'chance' | 'isoTime' | 'wait'> = {
  chance: () => Math.random(),
  isoTime: (at) => new Date(at).toISOString(),
  wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
};

/** As many as HMAC-SHA256 uses. */
const SECRET_BYTES = 32;

/** The secret of a new target, in the form of Standard Webhooks. */
export function freshSecret(): string {
  return secretText(crypto.getRandomValues(new Uint8Array(SECRET_BYTES)));
}
