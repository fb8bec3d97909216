/**
 * The border between a caller and the session: everything that crosses it is JSON text.
 *
 * What a caller changes afterwards in what it gave or was given is its own business, and what is not
 * JSON is refused here with the same words as over HTTP, so that a digest means the same.
 */
import type * as z from 'zod';
import { ClientError } from '../client/errors.ts';
import { fitsInBytes } from '../protocol/bytes.ts';
import { ERRORS, jsonRejection, type Rejection, reject } from '../protocol/errors.ts';
import { schemaRejection } from '../protocol/schema/rejection.ts';
import { type Json, parseJson } from '../protocol/json.ts';
import { LIMITS } from '../protocol/limits.ts';

/** A refusal as the error that a server's refusal becomes. */
export function errorOf({ code, message, details }: Omit<Rejection, 'ok'>): ClientError {
  return new ClientError({ code, message, ...pick(code), details });
}

export function refuse(rejection: Rejection): never {
  throw errorOf(rejection);
}

/** What failed rather than was refused; the cause is kept for whoever runs this process. */
export function errorFrom(cause: unknown): ClientError {
  if (cause instanceof ClientError) return cause;
  const message = 'Something went wrong here; the request can be repeated';
  return new ClientError({ code: 'internal', message, ...pick('internal'), cause });
}

function pick(code: Rejection['code']) {
  const { status, retry } = ERRORS[code];
  return { status, retry };
}

export function must<Value>(checked: Value | Rejection): Value {
  return isRejection(checked) ? refuse(checked) : checked;
}

/** What was given, as the text and the value a server would have read. */
export function take(value: unknown): { readonly text: string; readonly value: Json } {
  const text = must(written(value));
  if (!fitsInBytes(text, LIMITS.bodyBytes)) {
    const maxBytes = LIMITS.bodyBytes;
    return refuse(reject('too_large', `A body may have ${maxBytes} bytes`, { maxBytes }));
  }
  const parsed = parseJson(text);
  if (parsed.ok) return { text, value: parsed.value };
  return refuse(jsonRejection(parsed));
}

export function check<Value>(schema: z.ZodType<Value>, value: unknown): Value {
  const parsed = schema.safeParse(value);
  return parsed.success ? parsed.data : refuse(schemaRejection(parsed.error));
}

/** What is handed out; nothing in it is shared with the session. */
export function give<Value>(value: unknown): Value {
  return JSON.parse(JSON.stringify(value)) as Value;
}

/** Everything a session sends but its refusals is text, an object or a number. */
function isRejection(value: unknown): value is Rejection {
  return typeof value === 'object' && value !== null && 'ok' in value && value.ok === false;
}

function written(value: unknown): string | Rejection {
  try {
    const text = JSON.stringify(value, (_key, part: unknown) => {
      // Written as null it would be another request: a deadline that is NaN would be none.
      if (typeof part === 'number' && !Number.isFinite(part)) throw new NotFinite();
      return part;
    });
    return text ?? reject('invalid_json', 'Not a JSON value');
  } catch (cause) {
    const problem = cause instanceof NotFinite ? 'A number is not finite' : 'Not a JSON value';
    return reject('invalid_json', problem);
  }
}

class NotFinite extends Error {}
