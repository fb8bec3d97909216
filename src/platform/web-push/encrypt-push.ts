/** Encrypts a push message for its device (RFC 8291) and signs who sends it (RFC 8292). */
import { encryptNotification, vapidHeaders } from '@block65/webcrypto-web-push';
import type { TargetPorts } from '../../delivery/ports.ts';
import { encodeBase64Url } from '../../protocol/base64.ts';
import type { VapidKeys } from '../../protocol/schema/surfaces/push.ts';

export const encryptPush: TargetPorts['encryptPush'] = async (push) => {
  const { settings, text, ttlSeconds, urgency, topic } = push;
  const { endpoint, p256dh, auth, vapid, contact } = settings;
  const subscription = {
    endpoint: signedEndpoint(endpoint),
    expirationTime: null,
    keys: { p256dh, auth },
  };
  const body = await encrypt(subscription, text);
  if (body === undefined) return undefined;
  const { headers } = await vapidHeaders(subscription, { ...vapid, subject: contact });
  return {
    url: endpoint,
    headers: {
      ...headers,
      'content-encoding': 'aes128gcm',
      'content-type': 'application/octet-stream',
      ttl: String(ttlSeconds),
      urgency,
      ...(topic !== undefined && { topic }),
    },
    body,
  };
};

/** Undefined for keys of no device. Every message has the same length: its size says nothing about its content. */
async function encrypt(subscription: Parameters<typeof encryptNotification>[0], text: string) {
  try {
    return await encryptNotification(subscription, new TextEncoder().encode(text));
  } catch {
    return undefined;
  }
}

/** The library signs for HTTPS alone. Plain HTTP is a push service on this machine, which development allows. */
function signedEndpoint(endpoint: string): string {
  return endpoint.replace(/^http:/, 'https:');
}

/** The keys by which push services know a workspace; browsers bind their subscriptions to the public one. */
export async function freshVapidKeys(): Promise<VapidKeys> {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256' };
  // Of a pair, whatever the types of a platform say of other algorithms.
  const pair = (await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])) as {
    readonly publicKey: ExportedKey;
    readonly privateKey: ExportedKey;
  };
  const point = (await crypto.subtle.exportKey('raw', pair.publicKey)) as ArrayBuffer;
  const { d } = (await crypto.subtle.exportKey('jwk', pair.privateKey)) as { readonly d?: string };
  if (d === undefined) throw new Error('The platform exported no private key');
  return { publicKey: encodeBase64Url(new Uint8Array(point)), privateKey: d };
}

type ExportedKey = Parameters<typeof crypto.subtle.exportKey>[1];
