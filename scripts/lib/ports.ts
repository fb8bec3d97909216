import { createServer } from 'node:net';

export type PortState = 'free' | 'busy' | 'forbidden' | 'no such host';

const STATE_OF_ERROR: Record<string, PortState> = {
  EADDRINUSE: 'busy',
  EACCES: 'forbidden',
  EADDRNOTAVAIL: 'no such host',
  ENOTFOUND: 'no such host',
  EAI_AGAIN: 'no such host',
};

export async function portState(host: string, port: number): Promise<PortState> {
  const answer = await listenOnce(host, port);
  return answer.state;
}

/** A port that is free now, for a server that must come back on the same port. */
export async function freePort(host = '127.0.0.1'): Promise<number> {
  const answer = await listenOnce(host, 0);
  if (answer.state !== 'free') throw new Error(`No port is free on ${host}: ${answer.state}`);
  return answer.port;
}

export async function nextFreePort(host: string, from: number): Promise<number> {
  for (let port = from; port < from + 100; port++) {
    const state = await portState(host, port);
    if (state === 'free') return port;
    if (state === 'no such host') throw new Error(`${host} is not an address of this machine.`);
  }
  throw new Error(`No port is free from ${from} to ${from + 99}; choose one with PORT.`);
}

function listenOnce(host: string, port: number): Promise<{ state: PortState; port: number }> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => {
      const state = STATE_OF_ERROR[error.code ?? ''];
      if (state === undefined) reject(error);
      else resolve({ state, port });
    });
    server.listen({ host, port, exclusive: true }, () => {
      const address = server.address();
      const bound = address !== null && typeof address === 'object' ? address.port : port;
      server.close(() => resolve({ state: 'free', port: bound }));
    });
  });
}
