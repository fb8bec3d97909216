/** A receiver of webhooks on a port of this machine, which keeps every request and does as its test says. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import type { JsonObject } from '../../src/protocol/json.ts';

export interface ReceivedWebhook {
  readonly id: string;
  readonly at: number;
  readonly type: string;
  readonly data: JsonObject & {
    readonly sessionId?: string;
    readonly seq?: number;
    readonly answer?: { readonly url: string; readonly inputDigest: string };
  };
  readonly headers: Record<string, string>;
  readonly body: string;
}

export type WebhookHandler = (webhook: ReceivedWebhook, response: ServerResponse) => void;

export interface WebhookReceiver {
  readonly url: string;
  readonly port: number;
  readonly received: ReceivedWebhook[];
  /** How often anything connected, also without a request. */
  connections(): number;
  handle: WebhookHandler;
  close(): Promise<void>;
}

export async function startWebhookReceiver(port = 0): Promise<WebhookReceiver> {
  const received: ReceivedWebhook[] = [];
  const server = createServer((request, response) => {
    readWebhook(request).then(
      (webhook) => {
        received.push(webhook);
        receiver.handle(webhook, response);
      },
      () => response.destroy(),
    );
  });
  let connections = 0;
  server.on('connection', () => (connections += 1));
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address() as AddressInfo;
  const receiver: WebhookReceiver = {
    url: `http://127.0.0.1:${address.port}/hook`,
    port: address.port,
    received,
    connections: () => connections,
    handle: (_webhook, response) => response.end('ok'),
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
  return receiver;
}

async function readWebhook(request: IncomingMessage): Promise<ReceivedWebhook> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks).toString();
  const headers = request.headers as Record<string, string>;
  const { type, data } = JSON.parse(body) as Pick<ReceivedWebhook, 'type' | 'data'>;
  return { id: headers['webhook-id'] ?? '', at: Date.now(), type, data, headers, body };
}

let messages = 0;

/** The headers with which a receiver signs its own message. */
export function signedHeaders(
  secret: string,
  body: string,
  { id = `answer-${Date.now()}-${(messages += 1)}`, at = new Date() } = {},
): Record<string, string> {
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': new Webhook(secret).sign(id, at, body),
  };
}
