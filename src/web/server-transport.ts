/** The product's transport: sessions of the server that this page came from. */
import { HttpTransport } from '../client/http-transport.ts';
import type { Transport } from '../client/transport.ts';

export interface ServerOptions {
  readonly url: string;
  readonly token: string;
  /** The server takes the token no more. */
  readonly onRefused: () => void;
}

export function serverTransport({ url, token, onRefused }: ServerOptions): Transport {
  return new HttpTransport({ url, token: tokenOnce(token, onRefused) });
}

/** Asked for a second time it was refused, and there is no other (TRN-7). */
function tokenOnce(token: string, onRefused: () => void): () => string {
  let isAsked = false;
  return () => {
    if (isAsked) onRefused();
    isAsked = true;
    return token;
  };
}
