/** WebSockets whose other end is the test. */
import type { SocketClass, SocketLike } from '../../../src/client/connection/websocket-link.ts';

type Listener = Parameters<SocketLike['addEventListener']>[1];

export class FakeWebSocket implements SocketLike {
  readonly url: string;
  readonly protocols: readonly string[];
  readonly sent: string[] = [];
  isClosed = false;
  readonly #listeners = new Map<string, Listener[]>();

  constructor(url: string, protocols: readonly string[]) {
    this.url = url;
    this.protocols = protocols;
  }

  get after(): number {
    return Number(new URL(this.url).searchParams.get('after'));
  }

  send(text: string): void {
    this.sent.push(text);
  }

  close(): void {
    this.isClosed = true;
  }

  addEventListener(type: string, listener: Listener): void {
    this.#listeners.set(type, [...(this.#listeners.get(type) ?? []), listener]);
  }

  open(): void {
    this.#emit('open', {});
  }

  sendFrame(frame: unknown): void {
    this.#emit('message', { data: typeof frame === 'string' ? frame : JSON.stringify(frame) });
  }

  end(code = 1006): void {
    this.#emit('close', { code });
  }

  #emit(type: string, event: Parameters<Listener>[0]): void {
    for (const listener of this.#listeners.get(type) ?? []) listener(event);
  }
}

/** The class to pass to a transport, and every socket that it created. */
export function fakeWebSockets(): { readonly made: FakeWebSocket[]; readonly Fake: SocketClass } {
  const made: FakeWebSocket[] = [];
  class Fake extends FakeWebSocket {
    constructor(url: string, protocols: string[]) {
      super(url, protocols);
      made.push(this);
    }
  }
  return { made, Fake };
}
