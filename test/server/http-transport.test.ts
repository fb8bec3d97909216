/** The network transport against the built bundle; test/contract has the rules of all transports. */
import { expect, it } from 'vitest';
import { HttpTransport } from '../../src/client/http-transport.ts';
import type { HttpTransportOptions } from '../../src/client/connection/subscriptions.ts';
import { transportContract, type TransportFixture } from '../contract/transport.contract.ts';
import { listen } from '../contract/transport/listening.ts';
import { expectRefused } from '../contract/transport/questions.ts';
import { keyWith } from '../support/http/credentials.ts';
import { ADMIN_KEY, sharedServer } from '../support/http/server.ts';
import { inLongRun } from '../support/run-length.ts';

const server = await sharedServer();

function fixture(name: string, options: Partial<HttpTransportOptions>): TransportFixture {
  return {
    name,
    async make() {
      const { url } = server;
      const made: HttpTransport[] = [];
      const make = (token: string) => {
        const transport = new HttpTransport({ url, token, ...options });
        made.push(transport);
        return transport;
      };
      return {
        transport: make(ADMIN_KEY),
        agent: make(await keyWith('agent', 'read')),
        another: () => make(ADMIN_KEY),
        async end() {
          for (const transport of made) transport.close();
        },
      };
    },
  };
}

transportContract(fixture('HttpTransport', {}));
// The short run has streams by client/ and worker/.
inLongRun(() => {
  transportContract(fixture('HttpTransport without WebSockets', { WebSocket: false }));
});

inLongRun(() => {
  it('[TRN-5] reports that it reaches no server', async () => {
    // No server listens on this reserved port.
    const transport = new HttpTransport({ url: 'http://127.0.0.1:9', token: ADMIN_KEY });
    const error = await expectRefused(transport.snapshot('any'), 'unreachable');
    expect(error).toMatchObject({ origin: 'client', retry: 'now', status: undefined });
    await expectRefused(transport.sendMessage('any', 'Hello').routed, 'unreachable');
    transport.close();
  });
});

/** The subscriber only watches, and sends nothing after it connected. */
it('[WS-3] learns at once that its session was deleted', async () => {
  const transport = new HttpTransport({ url: server.url, token: ADMIN_KEY });
  const { id } = await transport.createSession({});
  const listener = listen(transport, id);
  await listener.until(({ subscription }) => subscription.status.type === 'live');
  const before = performance.now();
  await transport.deleteSession(id);
  await listener.until(({ subscription }) => subscription.status.type === 'closed');
  expect(listener.subscription.status).toMatchObject({ error: { code: 'session_deleted' } });
  expect(performance.now() - before).toBeLessThan(20_000);
  transport.close();
});
