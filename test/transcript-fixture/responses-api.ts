/** A Responses API that sends the items of a script in order, in the real wire format: the model of Codex. */
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The output items of one answer, as the API names them. */
export type Answer = readonly object[];

export interface ResponsesApi {
  readonly url: string;
  stop(): void;
}

export async function startResponsesApi(answers: readonly Answer[]): Promise<ResponsesApi> {
  let sent = 0;
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () => {
      if (request.url?.endsWith('/responses') !== true) {
        response.writeHead(404).end('{}');
        return;
      }
      sent += 1;
      stream(response, `resp_${sent}`, answers[sent - 1] ?? []);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}

function stream(response: ServerResponse, id: string, items: Answer): void {
  response.writeHead(200, { 'Content-Type': 'text/event-stream' });
  const send = (type: string, event: object) =>
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...event })}\n\n`);
  send('response.created', { response: { id } });
  for (const [index, item] of items.entries()) {
    send('response.output_item.done', { output_index: index, item });
  }
  const usage = { input_tokens: 10, output_tokens: 5, total_tokens: 15 };
  send('response.completed', { response: { id, usage } });
  response.end();
}
