/** The product's transport: sessions of the server that this page came from. */
import { Calls, at, part } from '../client/http/calls.ts';
import { HttpTransport } from '../client/http-transport.ts';
import { TokenSource } from '../client/token-source.ts';
import type { FileContent, SessionFile, WebTransport } from './transport.ts';

export interface ServerOptions {
  readonly url: string;
  readonly token: string;
  /** The server takes the token no more. */
  readonly onRefused: () => void;
}

export class ServerTransport extends HttpTransport implements WebTransport {
  readonly #calls: Calls;
  readonly #end = new AbortController();

  constructor({ url, token, onRefused }: ServerOptions) {
    super({ url, token: once(token, onRefused) });
    this.#calls = new Calls({
      base: url,
      fetch: (...ask) => fetch(...ask),
      tokens: new TokenSource(once(token, onRefused)),
      chance: () => Math.random(),
      closing: this.#end.signal,
    });
  }

  async retry(sessionId: string): Promise<void> {
    await this.#calls.post(at(sessionId, 'retry'));
  }

  async removeQueued(sessionId: string, messageId: string): Promise<void> {
    await this.#calls.change('DELETE', at(sessionId, 'queued', messageId));
  }

  async files(sessionId: string): Promise<readonly SessionFile[]> {
    return part(await this.#calls.get(at(sessionId, 'files')), 'files');
  }

  async file(sessionId: string, path: string): Promise<FileContent> {
    return part(await this.#calls.get(at(sessionId, 'files'), { path }), 'file');
  }

  override close(): void {
    this.#end.abort();
    super.close();
  }
}

/** Asked for a second time it was refused, and there is no other (TRN-7). */
function once(token: string, onRefused: () => void): () => string {
  let isAsked = false;
  return () => {
    if (isAsked) onRefused();
    isAsked = true;
    return token;
  };
}
