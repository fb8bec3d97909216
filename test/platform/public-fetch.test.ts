/** Names that lead to private addresses. A bug here lets whoever owns a name reach what only the server can reach. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isPublicAddress, PrivateAddressError } from '../../src/core/outgoing-address.ts';
import { nodePorts, publicFetch } from '../../src/platform/node/public-fetch.ts';
import { webhookSender } from '../../src/platform/webhooks/send-webhook.ts';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

async function startReceiver(handle: Handler = (_request, response) => response.end('ok')) {
  const seen: IncomingMessage[] = [];
  let connections = 0;
  const server = createServer((request, response) => {
    seen.push(request);
    handle(request, response);
  });
  server.on('connection', () => (connections += 1));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  const { port } = server.address() as AddressInfo;
  return { port, seen, connections: () => connections };
}

/** A resolver that gives the next of these at each lookup, and then the last one again and again. */
function resolverOf(...answers: readonly (readonly string[])[]) {
  const asked: string[] = [];
  const lookup = async (host: string) => {
    const found = answers[Math.min(asked.length, answers.length - 1)] ?? [];
    asked.push(host);
    return found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  };
  return { asked, lookup };
}

function fetchWith(lookup: ReturnType<typeof resolverOf>['lookup'], isPublic = isPublicAddress) {
  const ports = nodePorts();
  if (ports === undefined) throw new Error('This is Node');
  return publicFetch({ ...ports, lookup, isPublic });
}

const POST = { method: 'POST', body: '{"a":1}', headers: { 'content-type': 'application/json' } };

describe('[OUT-3] a name', () => {
  it.each([
    [['127.0.0.1']],
    [['::1']],
    [['::ffff:127.0.0.1']],
    [['169.254.169.254']],
    [['8.8.8.8', '127.0.0.1']],
    [['127.0.0.1', '8.8.8.8']],
    [[]],
  ])('that leads to %j gets no connection', async (addresses) => {
    const { port, connections } = await startReceiver();
    const { lookup } = resolverOf(addresses);
    const sent = fetchWith(lookup)(`http://hooks.example.com:${port}/`, POST);
    await expect(sent).rejects.toThrow(PrivateAddressError);
    expect(connections()).toBe(0);
  });

  it('that changes between two lookups is looked up once, and that address is called', async () => {
    const { port, connections, seen } = await startReceiver();
    // The first answer is judged as public here; the second one is what a second lookup would connect to.
    const { asked, lookup } = resolverOf(['127.0.0.1'], ['127.0.0.2']);
    const send = fetchWith(lookup, (address) => address === '127.0.0.1');
    const url = `http://rebound.example.com:${port}/hook?x=1`;
    const response = await send(url, POST);
    expect([response.status, await response.text()]).toEqual([200, 'ok']);
    expect(asked).toEqual(['rebound.example.com']);
    expect(seen[0]?.headers.host).toBe(`rebound.example.com:${port}`);
    expect(seen[0]?.url).toBe('/hook?x=1');
    expect(connections()).toBe(1);
    // The next attempt looks it up anew, connects nowhere, and does not go over the connection of the first.
    await expect(send(url, POST)).rejects.toThrow(PrivateAddressError);
    expect(asked).toHaveLength(2);
    expect(connections()).toBe(1);
  });

  it('is not needed for an address in the URL', async () => {
    const { port, connections } = await startReceiver();
    const { lookup } = resolverOf(['8.8.8.8']);
    for (const host of ['127.0.0.1', '2130706433', '[::ffff:127.0.0.1]']) {
      await expect(fetchWith(lookup)(`http://${host}:${port}/`, POST)).rejects.toThrow(
        PrivateAddressError,
      );
    }
    expect(connections()).toBe(0);
  });

  it('that resolves to this machine is reported to the administrator', async () => {
    const { lookup } = resolverOf(['10.1.2.3']);
    const send = webhookSender({ fetch: fetchWith(lookup), allowPrivate: false });
    const reply = await send({ url: 'https://hooks.example.com/', headers: {}, body: '{}' });
    expect(reply.problem).toBe('Not sent: The host name leads to a private address');
  });
});

describe('[OUT-3] a response', () => {
  const lookup = async () => [{ address: '127.0.0.1', family: 4 }];
  const call = async (handle: Handler, init: RequestInit = POST) => {
    const { port } = await startReceiver(handle);
    return fetchWith(lookup, () => true)(`http://hooks.example.com:${port}/`, init);
  };

  it('keeps status and headers, and follows no redirect', async () => {
    const moved = await call((_request, response) =>
      response.writeHead(302, { location: 'http://127.0.0.1/' }).end(),
    );
    expect([moved.status, moved.headers.get('location')]).toEqual([302, 'http://127.0.0.1/']);
    const later = await call((_request, response) =>
      response.writeHead(503, { 'retry-after': '7' }).end('busy'),
    );
    expect([later.status, later.headers.get('retry-after')]).toEqual([503, '7']);
    const empty = await call((_request, response) => response.writeHead(204).end());
    expect([empty.status, await empty.text()]).toEqual([204, '']);
  });

  it('fails when it is cut off, when it takes too long, and with a status that cannot be', async () => {
    const cut = await call((_request, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('{', () => response.destroy());
    });
    await expect(cut.text()).rejects.toThrow();
    const stop = new AbortController();
    const slow = call(() => stop.abort(), { ...POST, signal: stop.signal });
    await expect(slow).rejects.toThrow();
    await expect(call((_request, response) => response.writeHead(999).end())).rejects.toThrow();
  });
});
