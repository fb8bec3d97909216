import { HttpCalls } from '../client/requests/http-calls.ts';
import { type Token, TokenSource } from '../client/token-source.ts';

/** Requests to the server that served this page, beside those of a transport. */
export function serverCalls({ token }: { readonly token: Token }): HttpCalls {
  return new HttpCalls({
    base: '',
    fetch: (input, init) => fetch(input, init),
    tokens: new TokenSource(token),
    chance: Math.random,
    closing: new AbortController().signal,
  });
}
