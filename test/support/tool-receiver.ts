/**
 * A server that runs a tool, on a port of this machine, and answers each request as the test specifies.
 *
 * It keeps every request unchanged, and records which clients disconnected before the end of a response.
 */
import { once } from 'node:events';
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface ReceivedCall {
  readonly path: string;
  readonly method: string | undefined;
  readonly headers: Record<string, string>;
  readonly body: string;
}

export interface ToolReceiver {
  readonly url: string;
  readonly received: readonly ReceivedCall[];
  /** Resolves when a client has disconnected before the end of its response. */
  readonly hangUp: Promise<void>;
}

export type Answer = (response: ServerResponse) => void;

/** Stops at the end of its test. */
export async function startToolReceiver(answer: Answer): Promise<ToolReceiver> {
  const received: ReceivedCall[] = [];
  let hungUp = () => {};
  const hangUp = new Promise<void>((resolve) => {
    hungUp = resolve;
  });
  const server = createServer((request, response) => {
    response.on('close', () => {
      if (!response.writableFinished) hungUp();
    });
    receive(request).then(
      (call) => {
        received.push(call);
        answer(response);
      },
      () => response.destroy(),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/run`, received, hangUp };
}

async function receive(request: IncomingMessage): Promise<ReceivedCall> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const { url = '', method, headers } = request;
  const body = Buffer.concat(chunks).toString();
  return { path: url, method, headers: headers as Record<string, string>, body };
}
