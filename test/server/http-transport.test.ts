/** The network transport against the built bundle; what it must do is in test/contract. */
import { HttpTransport, type HttpTransportOptions } from '../../src/client/http-transport.ts';
import { transportContract, type TransportFixture } from '../contract/transport.contract.ts';
import { keyWith } from '../support/http/credentials.ts';
import { ADMIN_KEY, startServer } from '../support/http/server.ts';

const server = await startServer();

/** Nobody listens there: the port is one that the system keeps for other things. */
const NOWHERE = 'http://127.0.0.1:9';

function fixture(name: string, options: Partial<HttpTransportOptions>): TransportFixture {
  return {
    name,
    async make() {
      const { url } = server;
      const made: HttpTransport[] = [];
      const make = (token: string, at = url) => {
        const transport = new HttpTransport({ url: at, token, ...options });
        made.push(transport);
        return transport;
      };
      return {
        transport: make(ADMIN_KEY),
        agent: make(await keyWith('agent', 'read')),
        unreachable: make(ADMIN_KEY, NOWHERE),
        another: () => make(ADMIN_KEY),
        async end() {
          for (const transport of made) transport.close();
        },
      };
    },
  };
}

transportContract(fixture('HttpTransport', {}));
transportContract(fixture('HttpTransport without WebSockets', { WebSocket: false }));
