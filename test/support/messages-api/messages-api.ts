/**
 * A Messages API on a port, which replies from a list, one reply per request, or computes a reply from each request.
 *
 * It writes the wire format with its own writer, independent of the demo model. Every request is kept with the fault
 * that the real API would have found in it; a request beyond the list gets a 400, which no client repeats.
 */
import { once } from 'node:events';
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { findRequestProblem } from '../../../src/agent/validate-conversation.ts';
import { readRequest } from '../../../src/platform/demo-model/read-request.ts';
import { type Reply, type Step, refusal } from './reply.ts';

interface Received {
  readonly headers: IncomingMessage['headers'];
  readonly body: unknown;
  /** Undefined: the real API would have accepted the request. */
  readonly problem: string | undefined;
}

export interface MessagesApi {
  readonly url: string;
  readonly received: readonly Received[];
  /** How many clients disconnected before the end of their response. */
  readonly hungUp: number;
  stop(): Promise<void>;
}

/** Undefined: the list is at its end. */
export type Script = readonly Reply[] | ((body: unknown) => Reply | undefined);

export async function startMessagesApi(script: Script): Promise<MessagesApi> {
  const received: Received[] = [];
  let hungUp = 0;
  const server = createServer((request, response) => {
    response.on('close', () => {
      if (!response.writableFinished) hungUp += 1;
    });
    serve(request, response).catch((cause: unknown) => response.destroy(cause as Error));
  });

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = await textOf(request);
    const index = received.length;
    if (request.method !== 'POST' || request.url !== '/v1/messages') {
      await write(response, refusal(404, 'not_found_error', `${request.method} ${request.url}`));
      return;
    }
    const body: unknown = JSON.parse(text);
    received.push({ headers: request.headers, body, problem: problemOf(body) });
    const reply = typeof script === 'function' ? script(body) : script[index];
    await write(response, reply ?? refusal(400, 'invalid_request_error', 'The script is over'));
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    get hungUp() {
      return hungUp;
    },
    async stop() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

function problemOf(body: unknown): string | undefined {
  const read = readRequest(body);
  return read.ok ? findRequestProblem(read.request.messages) : read.problem;
}

async function write(response: ServerResponse, reply: Reply): Promise<void> {
  if ('status' in reply) {
    response.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers });
    response.end(reply.body);
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
  response.flushHeaders();
  for (const step of reply.steps) {
    if (!(await take(response, step))) return;
  }
  response.end();
}

/** False: the reply ends here. */
async function take(response: ServerResponse, step: Step): Promise<boolean> {
  if ('drop' in step) {
    // The written bytes must arrive first, or the cut would not be in the middle.
    await setImmediate();
    response.socket?.destroy();
    return false;
  }
  if ('stall' in step) return false;
  if ('waitMs' in step) {
    await sleep(step.waitMs);
    return !response.destroyed;
  }
  if ('tick' in step) {
    await setImmediate();
    return true;
  }
  const text =
    'raw' in step ? step.raw : `event: ${step.event.type}\ndata: ${JSON.stringify(step.event)}\n\n`;
  if (!response.write(text)) await once(response, 'drain');
  return true;
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
