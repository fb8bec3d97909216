/** A proxy on loopback that adds the credential to every request: the conformance suite sends none. */
import { once } from 'node:events';
import { createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface CredentialProxy {
  readonly url: string;
  stop(): void;
}

export async function addCredential(to: {
  readonly url: string;
  readonly token: string;
}): Promise<CredentialProxy> {
  const { hostname, port } = new URL(to.url);
  const proxy = createServer((incoming, outgoing) => {
    const { method, url: target, headers } = incoming;
    const forwarded = send(
      {
        hostname,
        port,
        method,
        path: target,
        // Host and Origin stay as they were sent: the suite forges them.
        headers: { ...headers, authorization: `Bearer ${to.token}` },
      },
      (response) => {
        outgoing.writeHead(response.statusCode ?? 502, response.headers);
        response.pipe(outgoing);
      },
    );
    forwarded.on('error', () => outgoing.destroy());
    outgoing.on('close', () => forwarded.destroy());
    incoming.pipe(forwarded);
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    stop() {
      proxy.closeAllConnections();
      proxy.close();
    },
  };
}
