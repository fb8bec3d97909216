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
  const tooLarge = reject('too_large', `A body may have ${maxBytes} bytes`, { maxBytes });
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) return tooLarge;
  if (request.body === null) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    const reader = request.body.getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      size += value.byteLength;
      if (size > maxBytes) {
        await reader.cancel();
        return tooLarge;
      }
      chunks.push(value);
    }
  } catch {
    // The sender went away or wrote chunks that are none: no failure of this service.
    return reject('invalid_json', 'The body broke off before its end');
  }
  if (chunks.length === 1 && chunks[0] !== undefined) return chunks[0];
  const whole = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.byteLength;
  }
  return whole;
}
