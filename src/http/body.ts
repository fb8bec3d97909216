/**
 * Reads a body: at most so many bytes whatever its headers say, strict UTF-8, strict JSON.
 *
 * Refusing here what would not survive storage unchanged is what makes a digest mean something.
 */
import { type Rejection, reject } from '../protocol/error.ts';
import { decodeUtf8, type Json, parseJson } from '../protocol/json.ts';
import { LIMITS } from '../protocol/limits.ts';

export interface ReadBody {
  readonly ok: true;
  readonly text: string;
  readonly value: Json;
}

export async function readBody(request: Request, optional: boolean): Promise<ReadBody | Rejection> {
  const bytes = await readBytes(request, LIMITS.bodyBytes);
  if ('ok' in bytes) return bytes;
  const text = decodeUtf8(bytes);
  if (text === undefined) return reject('invalid_json', 'The body is not UTF-8');
  if (optional && text.trim() === '') return { ok: true, text: '', value: {} };
  const parsed = parseJson(text);
  if (parsed.ok) return { ok: true, text, value: parsed.value };
  return reject(
    'invalid_json',
    parsed.problem,
    parsed.path === undefined ? undefined : { path: parsed.path },
  );
}

async function readBytes(request: Request, maxBytes: number): Promise<Uint8Array | Rejection> {
  const length = request.headers.get('content-length');
  if (length !== null && Number(length) > maxBytes) return tooLarge(maxBytes);
  if (request.body === null) return new Uint8Array();
  try {
    // In one piece where the length is known: a reader costs several times as much.
    return length === null
      ? await readChunks(request.body, maxBytes)
      : new Uint8Array(await request.arrayBuffer());
  } catch {
    // The sender went away or wrote chunks that are none: no failure of this service.
    return reject('invalid_json', 'The body broke off before its end');
  }
}

function tooLarge(maxBytes: number): Rejection {
  return reject('too_large', `A body may have ${maxBytes} bytes`, { maxBytes });
}

async function readChunks(
  body: ReadableStream<Uint8Array>,
  maxBytes: number,
): Promise<Uint8Array | Rejection> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.byteLength;
    if (size > maxBytes) {
      await reader.cancel();
      return tooLarge(maxBytes);
    }
    chunks.push(value);
  }
  const whole = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.byteLength;
  }
  return whole;
}
