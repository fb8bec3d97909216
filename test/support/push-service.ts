/**
 * A push service and the browser behind it: decrypts what arrives as RFC 8291 describes, written from the RFC and not with
 * the library that encrypts.
 */
import {
  createDecipheriv,
  createECDH,
  createHmac,
  createPublicKey,
  type ECDH,
  randomBytes,
  verify,
} from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type PushMessage, readPushMessage } from '../../src/protocol/push-message.ts';

export interface Subscription {
  readonly endpoint: string;
  readonly keys: { readonly p256dh: string; readonly auth: string };
}

/** A browser that was subscribed. */
export class SubscribedBrowser {
  readonly #keys: ECDH = createECDH('prime256v1');
  readonly #auth = randomBytes(16);
  readonly subscription: Subscription;

  constructor(endpoint: string) {
    this.#keys.generateKeys();
    this.subscription = {
      endpoint,
      keys: {
        p256dh: this.#keys.getPublicKey().toString('base64url'),
        auth: this.#auth.toString('base64url'),
      },
    };
  }

  /** RFC 8188 with the keys of RFC 8291: one record. */
  decrypt(body: Buffer): string {
    const salt = body.subarray(0, 16);
    const idLength = body.readUInt8(20);
    const serverKey = body.subarray(21, 21 + idLength);
    const record = body.subarray(21 + idLength);
    const shared = this.#keys.computeSecret(serverKey);
    const info = Buffer.concat([
      Buffer.from('WebPush: info\0'),
      this.#keys.getPublicKey(),
      serverKey,
    ]);
    const input = expand(extract(this.#auth, shared), info, 32);
    const secret = extract(salt, input);
    const key = expand(secret, Buffer.from('Content-Encoding: aes128gcm\0'), 16);
    const nonce = expand(secret, Buffer.from('Content-Encoding: nonce\0'), 12);
    const decipher = createDecipheriv('aes-128-gcm', key, nonce);
    decipher.setAuthTag(record.subarray(-16));
    const padded = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()]);
    const end = padded.lastIndexOf(2);
    if (end < 0 || padded.subarray(end + 1).some((byte) => byte !== 0)) {
      throw new Error('The record does not end with its delimiter and zeros');
    }
    return padded.subarray(0, end).toString('utf8');
  }
}

const hmac = (key: Buffer, data: Buffer) => createHmac('sha256', key).update(data).digest();
const extract = hmac;
const expand = (secret: Buffer, info: Buffer, length: number) =>
  hmac(secret, Buffer.concat([info, Buffer.from([1])])).subarray(0, length);

/** The claims of a signature that the public key in its header made; throws for any other. RFC 8292. */
export function readVapid(header: string): { claims: Record<string, unknown>; publicKey: string } {
  const [, token = '', publicKey = ''] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(header) ?? [];
  const [head = '', payload = '', signature = ''] = token.split('.');
  const point = Buffer.from(publicKey, 'base64url');
  const key = createPublicKey({
    format: 'jwk',
    key: {
      kty: 'EC',
      crv: 'P-256',
      x: point.subarray(1, 33).toString('base64url'),
      y: point.subarray(33).toString('base64url'),
    },
  });
  const isSigned = verify(
    'sha256',
    Buffer.from(`${head}.${payload}`),
    { key, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
  if (!isSigned) throw new Error('The VAPID signature is wrong');
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<
    string,
    unknown
  >;
  return { claims, publicKey };
}

export interface ReceivedPush {
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: number;
  readonly text: string;
  readonly message: PushMessage | undefined;
  readonly vapid: ReturnType<typeof readVapid>;
}

/** Where every double seems to be: the server refuses addresses that are not public. */
export const PUSH_ORIGIN = 'https://push.example.com';

export interface PushService {
  /** Host and port: for `pushService` of a server. */
  readonly address: string;
  /** Subscribes a browser; its messages are collected. */
  subscribe(): Subscription & { readonly received: ReceivedPush[] };
  /** The status of all later responses. */
  respond(status: number, headers?: Record<string, string>, body?: string): void;
  close(): void;
}

export async function startPushService(): Promise<PushService> {
  const browsers = new Map<string, { browser: SubscribedBrowser; received: ReceivedPush[] }>();
  let response = { status: 201, headers: {} as Record<string, string>, body: '' };
  const server = createServer((request, reply) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const known = browsers.get(request.url ?? '');
      const status = known === undefined ? 404 : response.status;
      if (known !== undefined && status < 300) {
        const body = Buffer.concat(parts);
        const headers = request.headers as Record<string, string>;
        const text = known.browser.decrypt(body);
        known.received.push({
          headers,
          bytes: body.length,
          text,
          message: readPushMessage(text),
          vapid: readVapid(headers['authorization'] ?? ''),
        });
      }
      reply.writeHead(status, response.headers).end(response.body);
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    address,
    subscribe() {
      const path = `/push/${browsers.size + 1}`;
      const browser = new SubscribedBrowser(PUSH_ORIGIN + path);
      const received: ReceivedPush[] = [];
      browsers.set(path, { browser, received });
      return { ...browser.subscription, received };
    },
    respond(status, headers = {}, body = '') {
      response = { status, headers, body };
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
