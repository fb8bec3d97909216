/** Requests to a test server, and the required shape of every refusal. */
import { expect } from 'vitest';
import { ERRORS, type ErrorCode } from '../../../src/protocol/errors.ts';
import { ErrorBody } from '../../../src/protocol/schema/rejection.ts';
import type { Json, JsonObject } from '../../../src/protocol/json.ts';
import { ADMIN_KEY } from './server.ts';

/** Far longer than any response takes: a request that lasts so long hangs. */
const HANG_MS = 30_000;

/** A server, or an application in this process, which has a `fetch` of its own. */
export interface Reachable {
  readonly url: string;
  readonly fetch?: typeof globalThis.fetch;
}

export interface Ask {
  readonly method: string;
  readonly path: string;
  /** Default: the administrator's key; null sends none. */
  readonly token?: string | null;
  readonly json?: Json;
  readonly body?: RequestInit['body'];
  readonly headers?: Readonly<Record<string, string>>;
  /** Default: far longer than any response takes. */
  readonly patienceMs?: number;
}

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

export async function send(server: Reachable, ask: Ask): Promise<Reply> {
  const { method, path, token = ADMIN_KEY, json, body, headers = {}, patienceMs = HANG_MS } = ask;
  const content = json === undefined ? body : JSON.stringify(json);
  const init: RequestInit & { duplex?: 'half' } = {
    method,
    redirect: 'manual',
    headers: { ...(token !== null && { Authorization: `Bearer ${token}` }), ...headers },
    signal: AbortSignal.timeout(patienceMs),
    ...(content !== undefined && { body: content }),
    ...(content instanceof ReadableStream && { duplex: 'half' }),
  };
  const { url, fetch = globalThis.fetch } = server;
  const response = await fetch(`${url}${path}`, init);
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** Sends a request that must succeed; for the preparation of a test. */
export async function ask(server: Reachable, request: Ask): Promise<JsonObject> {
  const reply = await send(server, request);
  if (reply.status >= 300) {
    throw new Error(`${request.method} ${request.path}: ${reply.status} ${reply.text}`);
  }
  return reply.text === '' ? {} : (JSON.parse(reply.text) as JsonObject);
}

/** Why this response is not a documented refusal, or undefined. */
export function refusalProblem(reply: Reply, codes?: readonly ErrorCode[]): string | undefined {
  const seen = `${reply.status} ${reply.text.slice(0, 200)}`;
  if (reply.status < 400 || reply.status >= 500) return `not refused: ${seen}`;
  let body: unknown;
  try {
    body = JSON.parse(reply.text);
  } catch {
    return `no JSON: ${seen}`;
  }
  const parsed = ErrorBody.safeParse(body);
  if (!parsed.success) return `not the shape of an error: ${seen}`;
  const { code, message, requestId } = parsed.data.error;
  if (ERRORS[code].status !== reply.status) return `${code} has another status: ${seen}`;
  if (message === '' || requestId === '') return `says too little: ${seen}`;
  if (reply.headers.get('x-request-id') !== requestId) return `no X-Request-Id: ${seen}`;
  if (reply.headers.get('x-content-type-options') !== 'nosniff') return `may be sniffed: ${seen}`;
  if (codes !== undefined && !codes.includes(code)) return `not ${codes.join(' or ')}: ${seen}`;
  return undefined;
}

export function expectRefused(reply: Reply, ...codes: ErrorCode[]): void {
  expect(refusalProblem(reply, codes.length === 0 ? undefined : codes)).toBeUndefined();
}

/** Runs many small checks, a few at a time, and returns all failures. */
export async function problemsOf<Case>(
  cases: readonly Case[],
  check: (testCase: Case) => Promise<string | undefined>,
): Promise<string[]> {
  const problems: string[] = [];
  const queue = [...cases];
  const worker = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const problem = await check(next).catch((cause: unknown) => `failed: ${String(cause)}`);
      if (problem !== undefined) problems.push(problem);
    }
  };
  await Promise.all(Array.from({ length: 8 }, worker));
  return problems;
}
