/** The HTTP application of this process as the `fetch` and the `WebSocket` of a client. */
import type { SocketClass, SocketLike } from '../client/connection/websocket-link.ts';
import type { ClientEnd } from './local-socket.ts';
import { socketOf } from './stubs.ts';

type RequestHandler = (request: Request) => Response | Promise<Response>;
type SocketEventListener = Parameters<SocketLike['addEventListener']>[1];

/** To a client, a connection that was never made looks like a lost one. */
const CONNECTION_LOST = 1006;

/** As over a network, an aborted request gets no response, and the work that it started goes on. */
export function localFetch(answer: RequestHandler): typeof globalThis.fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const { signal } = request;
    return new Promise((resolve, reject) => {
      const abort = () => reject(signal.reason as Error);
      if (signal.aborted) return abort();
      signal.addEventListener('abort', abort, { once: true });
      Promise.resolve(answer(request))
        .then(resolve, reject)
        .finally(() => signal.removeEventListener('abort', abort));
    });
  };
}

export function localWebSocket(answer: RequestHandler): SocketClass {
  return class implements SocketLike {
    readonly #listeners = new Map<string, SocketEventListener[]>();
    #socket: ClientEnd | undefined;
    #isClosed = false;

    constructor(url: string, protocols: readonly string[]) {
      Promise.resolve(answer(upgradeRequest(url, protocols)))
        .then((response) => this.#open(socketOf(response)))
        .catch(() => this.#end(CONNECTION_LOST));
    }

    addEventListener(type: string, listener: SocketEventListener): void {
      this.#listeners.set(type, [...(this.#listeners.get(type) ?? []), listener]);
    }

    send(text: string): void {
      this.#socket?.receive(text);
    }

    close(): void {
      this.#isClosed = true;
      this.#socket?.leave();
    }

    #open(socket: ClientEnd | undefined): void {
      if (socket === undefined) return this.#end(CONNECTION_LOST);
      if (this.#isClosed) return socket.leave();
      this.#socket = socket;
      this.#emit('open', {});
      socket.listen({
        received: (data) => this.#emit('message', { data }),
        ended: (code) => this.#end(code),
      });
    }

    #end(code: number): void {
      if (!this.#isClosed) this.#emit('close', { code });
      this.#isClosed = true;
    }

    #emit(type: string, event: Parameters<SocketEventListener>[0]): void {
      for (const listener of this.#listeners.get(type) ?? []) listener(event);
    }
  };
}

/** A page must not set these headers on a request, so this replaces the `headers` of the object. */
function upgradeRequest(url: string, protocols: readonly string[]): Request {
  const headers = new Headers({
    Upgrade: 'websocket',
    'Sec-WebSocket-Protocol': protocols.join(', '),
  });
  const request = new Request(url.replace(/^ws/, 'http'));
  return Object.defineProperty(request, 'headers', { value: headers });
}
