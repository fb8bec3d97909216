/**
 * The encryption of push messages, read as a browser reads them.
 *
 * A bug here looks like a phone that never rings, or a push service that reads what an agent wants to run.
 */
import { expect, it } from 'vitest';
import { encryptPush, freshVapidKeys } from '../../src/platform/web-push/encrypt-push.ts';
import { readVapid, SubscribedBrowser } from '../support/push-service.ts';
import { deviceSettings } from '../support/device-settings.ts';

const vapid = await freshVapidKeys();
const ENDPOINT = 'https://push.example.com/send/1';

function settingsOf(browser: SubscribedBrowser) {
  const { endpoint, keys } = browser.subscription;
  return deviceSettings({ endpoint, ...keys, vapid });
}

const PUSH = { ttlSeconds: 90, urgency: 'high', topic: 'abc' } as const;

it('[PUSH-1] encrypts for the device alone, in one length for every text', async () => {
  const [browser, other] = [new SubscribedBrowser(ENDPOINT), new SubscribedBrowser(ENDPOINT)];
  const settings = settingsOf(browser);
  const lengths: number[] = [];
  for (const text of ['{}', 'ünïcode 🙂'.repeat(50)]) {
    const request = await encryptPush({ settings, text, ...PUSH });
    const body = Buffer.from(request?.body as Uint8Array);
    expect(browser.decrypt(body)).toBe(text);
    expect(() => other.decrypt(body)).toThrow();
    lengths.push(body.length);
  }
  expect(new Set(lengths).size).toBe(1);
  expect(lengths[0]).toBeLessThanOrEqual(4_096);
});

it('[PUSH-1] says how long the message lives, and signs who sends it', async () => {
  const settings = settingsOf(new SubscribedBrowser(ENDPOINT));
  const request = await encryptPush({ settings, text: '{}', ...PUSH });
  const { authorization = '', ...headers } = request?.headers ?? {};
  expect(headers).toEqual({
    'content-encoding': 'aes128gcm',
    'content-type': 'application/octet-stream',
    ttl: '90',
    urgency: 'high',
    topic: 'abc',
  });
  const { claims, publicKey } = readVapid(authorization);
  expect(publicKey).toBe(vapid.publicKey);
  expect(claims).toMatchObject({ aud: 'https://push.example.com', sub: settings.contact });
  expect(Number(claims['exp']) * 1_000).toBeLessThan(Date.now() + 24 * 3_600_000);
});

it('has nothing for keys that name no point of the curve', async () => {
  const settings = deviceSettings({ endpoint: ENDPOINT, p256dh: `B${'A'.repeat(86)}`, vapid });
  expect(await encryptPush({ settings, text: '{}', ...PUSH })).toBeUndefined();
});

it('makes other keys each time, as browsers want them', async () => {
  const again = await freshVapidKeys();
  expect(again).not.toEqual(vapid);
  const point = Buffer.from(again.publicKey, 'base64url');
  expect([point.length, point[0]]).toEqual([65, 4]);
});
