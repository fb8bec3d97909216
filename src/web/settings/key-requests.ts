/** The request of the settings that makes a key for an agent. */
import { HttpCalls, readPart } from '../../client/requests/http-calls.ts';
import { TokenSource } from '../../client/token-source.ts';
import type { Person } from '../model/person.ts';

export interface MadeKey {
  readonly id: string;
  /** Shown once: nothing reads it back. */
  readonly secret: string;
}

export interface KeyRequests {
  /** For an agent: it asks, and neither reads nor answers. */
  create(name: string): Promise<MadeKey>;
}

export function serverKeys({ token }: Pick<Person, 'token'>): KeyRequests {
  const calls = new HttpCalls({
    base: '',
    fetch: (input, init) => fetch(input, init),
    tokens: new TokenSource(token),
    chance: Math.random,
    closing: new AbortController().signal,
  });
  return {
    async create(name) {
      const reply = await calls.post('/v1/keys', { name, scopes: ['agent'] });
      const { id } = readPart<{ readonly id: string }>(reply, 'key');
      return { id, secret: readPart(reply, 'secret') };
    },
  };
}
