/** The proxy must cause exactly the planned failures, and above all never change the order of bytes. */
import { type AddressInfo, type Socket, connect, createServer } from 'node:net';
import { once } from 'node:events';
import { randomBytes } from 'node:crypto';
import { expect, it, onTestFinished } from 'vitest';
import { type CuttingProxy, type Mishap, startCuttingProxy } from '../../support/cutting-proxy.ts';

const DATA = randomBytes(300_000);

/** A proxy over a server that sends DATA in pieces to a client once the client sends something. */
async function proxyOver(plan: readonly Mishap[], endsAfter = true): Promise<CuttingProxy> {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => {
      for (let at = 0; at < DATA.length; at += 7_001) socket.write(DATA.subarray(at, at + 7_001));
      if (endsAfter) socket.end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const proxy = await startCuttingProxy({ target: { host: '127.0.0.1', port }, plan: () => plan });
  onTestFinished(async () => {
    await proxy.stop();
    server.close();
  });
  return proxy;
}

interface ProxiedClient {
  readonly socket: Socket;
  readonly bytes: () => Buffer;
  /** `end` after a FIN, the code of the error otherwise. */
  readonly over: Promise<string>;
}

function ask(proxy: CuttingProxy): ProxiedClient {
  const chunks: Buffer[] = [];
  const socket = connect({ port: proxy.port, host: '127.0.0.1', autoSelectFamily: false });
  socket.write('go');
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  const over = new Promise<string>((resolve) => {
    socket.once('end', () => resolve('end'));
    socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
  });
  onTestFinished(() => void socket.destroy());
  return { socket, bytes: () => Buffer.concat(chunks), over };
}

it('forwards all bytes in order without a planned failure', async () => {
  const client = ask(await proxyOver([]));
  expect(await client.over).toBe('end');
  expect(client.bytes().equals(DATA)).toBe(true);
});

it('keeps the order through stalls', async () => {
  const proxy = await proxyOver([
    { kind: 'stall', atByte: 1, ms: 10 },
    { kind: 'stall', atByte: 100_003, ms: 10 },
  ]);
  const client = ask(proxy);
  expect(await client.over).toBe('end');
  expect(client.bytes().equals(DATA)).toBe(true);
  expect(proxy.stalls).toBe(2);
});

it('ends at exactly the planned byte, with a FIN', async () => {
  const proxy = await proxyOver([{ kind: 'end', atByte: 123_457 }]);
  const client = ask(proxy);
  expect(await client.over).toBe('end');
  expect(client.bytes().equals(DATA.subarray(0, 123_457))).toBe(true);
  expect(proxy.cuts.end).toBe(1);
});

it('resets, and delivers no byte that was not sent', async () => {
  const client = ask(await proxyOver([{ kind: 'reset', atByte: 50_000 }]));
  expect(await client.over).toBe('ECONNRESET');
  const bytes = client.bytes();
  expect(bytes.length).toBeLessThanOrEqual(50_000);
  expect(bytes.equals(DATA.subarray(0, bytes.length))).toBe(true);
});

it('sends nothing on a half-open connection until the network is whole again', async () => {
  const proxy = await proxyOver([{ kind: 'half-open', atByte: 10 }]);
  const client = ask(proxy);
  while (client.bytes().length < 10) await once(client.socket, 'data');
  expect(await Promise.race([client.over, wait(100)])).toBe('silence');
  expect(client.bytes()).toHaveLength(10);
  proxy.heal();
  expect(await client.over).not.toBe('silence');
});

it('refuses every client while it is down, and cuts all connections on request', async () => {
  const proxy = await proxyOver([], false);
  const client = ask(proxy);
  while (client.bytes().length < DATA.length) await once(client.socket, 'data');
  proxy.down(true);
  expect(await ask(proxy).over).toBe('ECONNRESET');
  proxy.cutAll('reset');
  expect(await client.over).toBe('ECONNRESET');
  proxy.down(false);
  const again = ask(proxy);
  while (again.bytes().length < DATA.length) await once(again.socket, 'data');
});

function wait(ms: number): Promise<string> {
  return new Promise((resolve) => setTimeout(() => resolve('silence'), ms));
}
