/** The services that a killed server calls, on one address: the model under `/model`, tools under `/tools/<name>`. */
import { once } from 'node:events';
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serveModel } from './serve-model.ts';
import { serveTool } from './serve-tool.ts';
import type { Trial } from './trial.ts';

export interface FakeServices {
  readonly url: string;
  stop(): Promise<void>;
}

/** `current` is the running trial: a server runs one trial at a time. */
export async function startFakeServices(current: () => Trial | undefined): Promise<FakeServices> {
  const server = createServer((request, response) => {
    // The client was killed, so its answer cannot be delivered.
    response.on('error', () => undefined);
    serve(request, response, current()).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  trial: Trial | undefined,
): Promise<void> {
  const [, kind, tool = ''] = (request.url ?? '').split('/');
  if (trial === undefined || request.method !== 'POST') {
    response.writeHead(404).end();
    return;
  }
  trial.lastRequestAt = Date.now();
  const killsBefore = trial.kills;
  trial.pass(kind === 'model' ? 'model:arriving' : `tool:arriving:${tool}`);
  // The arrival of the request triggered the kill: the request was sent, and no service has read it.
  if (trial.kills > killsBefore) {
    request.destroy();
    return;
  }
  const text = await textOf(request);
  // The session belongs to a trial that was given up.
  if (!text.includes(kind === 'model' ? `trial ${trial.id}"` : `"${trial.session}"`)) {
    response.writeHead(404).end();
    return;
  }
  const body: unknown = JSON.parse(text);
  if (kind === 'model') await serveModel(trial, body, response);
  else await serveTool(trial, tool, body, response);
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
