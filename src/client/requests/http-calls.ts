/** Requests as the transport makes them: with a key where one counts, and an answer that is looked at. */
import type { WriteOptions, RequestOptions } from '../transport.ts';
import type { JsonObject } from '../../protocol/types.ts';
import { neverError, notHoldpoint } from '../errors.ts';
import { type Reply, request, type RequestPorts } from './request.ts';

type Query = Readonly<Record<string, string | number | undefined>>;

export class Calls {
  readonly #ports: RequestPorts;

  constructor(ports: RequestPorts) {
    this.#ports = ports;
  }

  get(
    path: string,
    query: Query = {},
    { signal }: RequestOptions = {},
    waitMs = 0,
  ): Promise<Reply> {
    return request(this.#ports, { method: 'GET', path: path + queryOf(query), signal, waitMs });
  }

  /** Everything that is posted creates or decides, so it has a key of its own (TRN-5). */
  async post(path: string, body?: unknown, how: WriteOptions = {}): Promise<Reply> {
    const { idempotencyKey: key = freshKey(), signal } = how;
    return request(this.#ports, { method: 'POST', path, body: written(body), key, signal });
  }

  async change(method: 'PATCH' | 'DELETE', path: string, body?: unknown): Promise<Reply> {
    return request(this.#ports, { method, path, body: written(body) });
  }
}

/** The path of a session, or of something in it; ids of a caller's making may hold any character. */
export function at(sessionId: string, ...rest: readonly string[]): string {
  return `/v1/sessions/${[sessionId, ...rest].map(encodeURIComponent).join('/')}`;
}

/** One part of an answer, which must be there. */
export function part<Value>({ body }: { readonly body: JsonObject }, name: string): Value {
  const value = body[name];
  if (value === undefined) throw notHoldpoint(`The answer has no "${name}".`);
  return value as Value;
}

/** What is no JSON is refused before it is sent: NaN would arrive as null, and mean something else. */
function written(body: unknown): string | undefined {
  try {
    return JSON.stringify(body, (_name, value: unknown) => {
      if (typeof value === 'number' && !Number.isFinite(value)) throw new RangeError(`${value}`);
      return value;
    });
  } catch (cause) {
    throw neverError('invalid_json', 'Not a JSON value', cause);
  }
}

function queryOf(query: Query): string {
  const said = Object.entries(query).filter(([, value]) => value !== undefined);
  const pairs = String(new URLSearchParams(said as [string, string][]));
  return pairs && `?${pairs}`;
}

/** A key nobody else makes. `crypto.randomUUID` is missing on pages that were not loaded over https. */
export function freshKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
