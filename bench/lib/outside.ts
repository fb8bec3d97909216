/**
 * A model and a tool that answer at once, in the process of the bench; the figures of both sides include their cost.
 */
import { once } from 'node:events';
import { type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answer, type Reply, type WireBlock } from '../../test/support/messages-api/reply.ts';

export interface Outside {
  readonly url: string;
  stop(): void;
}

const TEXT: WireBlock = {
  type: 'text',
  text: 'The build folder was older than the sources. I have made it anew, and all tests pass now.',
};
const SPOKEN = bytesOf(answer([TEXT]));
const [BEFORE_ID = '', AFTER_ID = ''] = bytesOf(
  answer([TEXT, { type: 'tool_use', id: '<id>', name: 'Lookup', input: { name: 'ada' } }], {
    stopReason: 'tool_use',
  }),
).split('<id>');

export async function startOutside(): Promise<Outside> {
  let calls = 0;
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8');
    request.on('data', (chunk: string) => (text += chunk));
    request.on('end', () => {
      if (request.url === '/tool') return reply(response, 'text/plain', 'Ada, 36.');
      // The request also holds the results of the turn before, so the last message decides.
      const isDone = text.lastIndexOf('"tool_result"') > text.lastIndexOf('"text":"tool"');
      const isSpoken = isDone || !text.includes('"text":"tool"');
      calls += 1;
      const body = isSpoken ? SPOKEN : `${BEFORE_ID}toolu_${calls}${AFTER_ID}`;
      reply(response, 'text/event-stream', body);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function reply(response: ServerResponse, type: string, body: string): void {
  response.writeHead(200, { 'content-type': type, 'content-length': Buffer.byteLength(body) });
  response.end(body);
}

function bytesOf(scripted: Reply): string {
  if (!('steps' in scripted)) throw new Error('An answer is streamed');
  return scripted.steps
    .map((step) =>
      'event' in step ? `event: ${step.event.type}\ndata: ${JSON.stringify(step.event)}\n\n` : '',
    )
    .join('');
}
