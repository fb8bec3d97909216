/** The client of the benchmark. A bug here ends a run of twenty minutes, or repeats a request that was executed. */
import { createServer, type Server, type Socket } from 'node:net';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { DroppedConnection, HttpConnection } from '../../bench/client/http-connection.ts';

const REPLY = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}';
let server: Server | undefined;
afterEach(() => server?.close());

/** Resolves to its port; `onRequest` gets each request with its socket. */
async function listen(onRequest: (socket: Socket) => void): Promise<number> {
  const started = createServer((socket) => socket.on('data', () => onRequest(socket)));
  server = started;
  started.listen(0, '127.0.0.1');
  await once(started, 'listening');
  return (started.address() as AddressInfo).port;
}

describe('HttpConnection', () => {
  it('connects again if the server has closed it while it was idle', async () => {
    const sockets = new Set<Socket>();
    const port = await listen((socket) => {
      sockets.add(socket);
      socket.end(REPLY);
    });
    const connection = await HttpConnection.open(port, 'token');
    for (let request = 0; request < 3; request += 1) {
      expect(await connection.json('GET', '/', 200)).toEqual({});
      await expect.poll(() => [...sockets].every(({ closed }) => closed)).toBe(true);
    }
    expect(sockets.size).toBe(3);
    connection.close();
  });

  it('repeats no request of which the reply was lost', async () => {
    let requests = 0;
    const port = await listen((socket) => {
      requests += 1;
      socket.destroy();
    });
    const connection = await HttpConnection.open(port, 'token');
    await expect(connection.request('POST', '/')).rejects.toThrow(DroppedConnection);
    expect(requests).toBe(1);
    connection.close();
  });

  it('stays closed once it was closed here', async () => {
    const port = await listen((socket) => socket.write(REPLY));
    const connection = await HttpConnection.open(port, 'token');
    connection.close();
    await expect(connection.request('GET', '/')).rejects.toThrow(DroppedConnection);
  });
});
