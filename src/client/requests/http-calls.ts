/** The requests of a transport: paths, bodies and idempotency keys. */
import type { WriteOptions, RequestOptions } from '../transport.ts';
import type { JsonObject } from '../../protocol/types.ts';
import { notHoldpointError, neverError } from '../errors.ts';
import { type HttpReply, type HttpRequest, request, type RequestPorts } from './request.ts';

type Query = Readonly<Record<string, string | number | undefined>>;

export class HttpCalls {
  readonly #ports: RequestPorts;

  constructor(ports: RequestPorts) {
    this.#ports = ports;
  }

  get(
    path: string,
    query: Query = {},
    { signal }: RequestOptions = {},
    waitMs = 0,
  ): Promise<HttpReply> {
    return request(this.#ports, { method: 'GET', path: path + queryOf(query), signal, waitMs });
  }

  /** Every POST creates or decides, so each has an idempotency key (TRN-5). */
  async post(path: string, body?: unknown, how?: WriteOptions): Promise<HttpReply> {
    return this.postText(path, toJsonText(body), how);
  }

  /** A body that is JSON text already. */
  postText(path: string, body: string | undefined, how: WriteOptions = {}): Promise<HttpReply> {
    const { idempotencyKey: key = freshKey(), signal } = how;
    return request(this.#ports, { method: 'POST', path, body, key, signal });
  }

  send(ask: HttpRequest): Promise<HttpReply> {
    return request(this.#ports, ask);
  }

  async change(
    method: 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    body?: unknown,
  ): Promise<HttpReply> {
    return request(this.#ports, { method, path, body: toJsonText(body) });
  }
}

/** The path of a session or of a part of it. Callers choose ids, so every segment is encoded. */
export function sessionPath(sessionId: string, ...rest: readonly string[]): string {
  return `/v1/sessions/${[sessionId, ...rest].map(encodeURIComponent).join('/')}`;
}

/** A required field of the reply. */
export function readPart<Value>({ body }: { readonly body: JsonObject }, name: string): Value {
  const value = body[name];
  if (value === undefined) throw notHoldpointError(`The reply has no "${name}".`);
  return value as Value;
}

/** The whole reply, which has this required field. */
export function readWhole<Value>(reply: { readonly body: JsonObject }, name: string): Value {
  readPart(reply, name);
  return reply.body as unknown as Value;
}

function queryOf(query: Query): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  const pairs = String(new URLSearchParams(given as [string, string][]));
  return pairs && `?${pairs}`;
}

/** A random key of 128 bits. Pages that were not loaded over https have no `crypto.randomUUID`. */
export function freshKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

export function cancelledBy(reply: HttpReply): { readonly cancelled: number } {
  return { cancelled: readPart(reply, 'cancelled') };
}

/** A place in a JSON text where `JSON.stringify` writes null; inside a text it may be something else. */
const WRITTEN_NULL = /(?:^|[:[,])null/;

/** Refuses NaN and infinities, which `JSON.stringify` turns into null. Undefined for what JSON has no text for. */
export function toJsonText(body: unknown): string | undefined {
  try {
    const text = JSON.stringify(body) as string | undefined;
    // A function that sees every value is slow, so only a text with a null is written again with one.
    if (text?.includes('null') === true && WRITTEN_NULL.test(text))
      JSON.stringify(body, refuseInexact);
    return text;
  } catch (cause) {
    throw neverError('invalid_json', 'Not a JSON value', cause);
  }
}

function refuseInexact(_name: string, value: unknown): unknown {
  if (typeof value === 'number' && !Number.isFinite(value)) throw new RangeError(`${value}`);
  return value;
}
