/** The demo model behind a port: the same scenarios over a connection, for servers with a key and an address. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { createDemoFetch } from '../../../src/platform/demo-model/demo-fetch.ts';
import { freshId } from '../../../src/platform/fresh-id.ts';

export interface DemoServer {
  readonly url: string;
  /** The statuses of its responses, in order. */
  readonly statuses: readonly number[];
  stop(): Promise<void>;
}

export async function startDemoServer(): Promise<DemoServer> {
  const play = createDemoFetch({ paceMs: 0, freshId });
  const statuses: number[] = [];
  const server = createServer((request, response) => {
    const answer = async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const { method = 'GET', url = '/' } = request;
      const body = method === 'POST' ? { body: Buffer.concat(chunks) } : {};
      const played = await play(`http://demo${url}`, { method, ...body });
      statuses.push(played.status);
      response.writeHead(played.status, Object.fromEntries(played.headers));
      if (played.body === null) response.end();
      else Readable.fromWeb(played.body as never).pipe(response);
    };
    answer().catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    statuses,
    async stop() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
