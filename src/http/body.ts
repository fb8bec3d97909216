/**
 * Reads a body: the right media type, a limited number of bytes, strict UTF-8, strict JSON.
 *
 * A body that names a small length is read whole. Of every other one the size of the buffer bounds the reading, whatever the
 * headers claim. A request with both a length and chunks has two ends, so it is rejected before anything else is read from it.
 * JSON that storage would change is rejected here: a digest must stand for exactly one input.
 */
import { jsonRejection, type Rejection, reject } from '../protocol/errors.ts';
import { decodeUtf8, type Json, parseJson } from '../protocol/json.ts';
import { LIMITS } from '../protocol/limits.ts';
import { liftOddInput } from '../protocol/odd-input.ts';
import { type BodyPace, SlowBodyError, watchBodyPace } from './body-pace.ts';
import { RootPlaces } from './root-places.ts';
import type { HttpRoute } from './route.ts';

export interface BodyLimits {
  readonly maxBytes: number;
  /** Of JSON. */
  readonly maxValues: number;
}

interface ReadBody {
  readonly ok: true;
  readonly text: string;
  readonly value: Json | Uint8Array;
  /** The fields of a form in their order, where the route takes one; `value` is empty then. */
  readonly form?: FormPairs;
  /** A tool input that only text carries without loss; `value` has an empty object in its place. */
  readonly inputText?: string;
}

export type FormPairs = readonly (readonly [name: string, text: string])[];

type BodyField =
  | 'body'
  | 'bodyIsText'
  | 'bodyIsBytes'
  | 'bodyOptional'
  | 'bodyLimits'
  | 'takesForm'
  | 'oddInput';

const USUAL_LIMITS: BodyLimits = { maxBytes: LIMITS.bodyBytes, maxValues: LIMITS.jsonValues };
/** Of a route that takes tool calls, whose input may be a whole file. */
export const HELD_INPUT_LIMITS: BodyLimits = {
  maxBytes: LIMITS.wholeInputBodyBytes,
  maxValues: LIMITS.jsonValues,
};
const NO_BODY: ReadBody = { ok: true, text: '', value: {} };
const BODY_UNEXPECTED = reject('invalid_request', 'This request takes no body');
/** The sender went away or sent malformed chunks: not a failure of this service. */
const BODY_CUT_OFF = reject('invalid_json', 'The body ended too early');
/** The byte order mark in UTF-8. */
const REFUSED_MARK = [0xef, 0xbb, 0xbf];
const BODY_WITH_MARK = reject(
  'invalid_json',
  'The body begins with a byte order mark; send it without one',
);
const SLOW_BODY = 'The body takes too long to arrive';
const BODY_TOO_SLOW = reject('too_slow', SLOW_BODY, {
  quietSeconds: LIMITS.bodyQuietMs / 1_000,
  seconds: LIMITS.bodyMs / 1_000,
});
const SMALL_BODY_TOO_SLOW = reject('too_slow', SLOW_BODY, { seconds: LIMITS.smallBodyMs / 1_000 });
/** Room for the `{}` that generated clients send in place of no body. */
const EMPTY_OBJECT_BYTES = 64;
const EMPTY_OBJECT = /^\s*(?:\{\s*\}\s*)?$/;

/** A proxy may read another end of such a request than this server. */
export function framingRejection({ headers }: Request): Rejection | undefined {
  if (!headers.has('transfer-encoding') || !headers.has('content-length')) return undefined;
  return reject('invalid_request', 'Send Content-Length or Transfer-Encoding, not both');
}

/** `takeLarge` is asked once a body is larger than the usual one. */
export async function readBody(
  request: Request,
  {
    body,
    bodyIsText = false,
    bodyIsBytes = false,
    bodyOptional = false,
    bodyLimits = USUAL_LIMITS,
    takesForm = false,
    oddInput,
  }: Pick<HttpRoute, BodyField>,
  takeLarge: TakeLargeBody = () => () => undefined,
): Promise<ReadBody | Rejection> {
  if (body === undefined) return expectNoBody(request);
  const claimed = claimedBytes(request);
  const size = { claimed, maxBytes: bodyLimits.maxBytes };
  if (bodyIsBytes) return readFileBody(request, size, takeLarge);
  // Asked for its body, the platform makes a stream.
  const isEmpty = !(claimed > 0) && request.body === null;
  const refused = isEmpty || bodyIsText ? undefined : mediaRejection(request);
  if (refused !== undefined) return refused;
  const bytes = await readBytes(request, size, takeLarge);
  if ('ok' in bytes) return bytes;
  // The decoder would drop it, and the text would not be what was sent and signed.
  if (REFUSED_MARK.every((byte, at) => bytes[at] === byte)) return BODY_WITH_MARK;
  const text = decodeUtf8(bytes);
  if (text === undefined) return reject('invalid_json', 'The body is not UTF-8');
  if (bodyIsText) return { ok: true, text, value: text };
  if (bodyOptional && text.trim() === '') return NO_BODY;
  if (takesForm && isForm(request, text)) return { ...NO_BODY, text, form: readPairs(text) };
  const parsed = parseJson(text, { maxNodes: bodyLimits.maxValues });
  if (parsed.ok) return { ok: true, text, value: parsed.value };
  const lifted = oddInput && liftOddInput(text, oddInput, bodyLimits.maxValues);
  if (lifted) return { ok: true, text, ...lifted };
  const form = formRejection(request, text);
  if (form !== undefined) return form;
  return jsonRejection(parsed);
}

interface BodySize {
  /** Not a number where the headers name no length. */
  readonly claimed: number;
  readonly maxBytes: number;
}

function claimedBytes({ headers }: Request): number {
  return Number(headers.get('content-length') ?? Number.NaN);
}

/** A file as it was sent, or nothing of it. */
async function readFileBody(
  request: Request,
  size: BodySize,
  takeLarge: TakeLargeBody,
): Promise<ReadBody | Rejection> {
  const encoded = encodingRejection(request);
  if (encoded !== undefined) return encoded;
  const bytes = await readBytes(request, size, takeLarge);
  if ('ok' in bytes) return bytes;
  if (!Number.isNaN(size.claimed) && size.claimed !== bytes.byteLength) return BODY_CUT_OFF;
  return { ok: true, text: '', value: bytes };
}

/**
 * A route without a body still reads the body of a request, and drops it: a sender that is cut off in
 * the middle of its body sees a reset connection, and never reads the rejection.
 */
async function expectNoBody({ body, headers }: Request): Promise<ReadBody | Rejection> {
  if (body === null) return NO_BODY;
  if (Number(headers.get('content-length')) > LIMITS.bodyBytes) return BODY_UNEXPECTED;
  try {
    const start = await readStart(body, EMPTY_OBJECT_BYTES, LIMITS.bodyBytes);
    return start !== undefined && EMPTY_OBJECT.test(start) ? NO_BODY : BODY_UNEXPECTED;
  } catch (cause) {
    return unread(cause);
  }
}

/** A small body as text; undefined for a larger body, which is read up to a limit and dropped. */
async function readStart(
  body: ReadableStream<Uint8Array>,
  keptBytes: number,
  maxBytes: number,
): Promise<string | undefined> {
  const reader = body.getReader();
  const kept = new Uint8Array(keptBytes);
  let size = 0;
  return atPace(reader, async (next) => {
    for (;;) {
      const { value, done } = await next(reader.read());
      if (done) return size > keptBytes ? undefined : decodeUtf8(kept.subarray(0, size));
      if (size < keptBytes) kept.set(value.subarray(0, keptBytes - size), size);
      size += value.byteLength;
      if (size <= maxBytes) continue;
      await reader.cancel();
      return undefined;
    }
  });
}

/** Ends the reading of a body whose sender is too slow. */
async function atPace<Result>(
  reader: { cancel(): Promise<void> },
  read: (next: BodyPace['next']) => Promise<Result>,
): Promise<Result> {
  const pace = watchBodyPace();
  try {
    return await read(pace.next);
  } catch (cause) {
    // The sender may take its time to notice; its response does not wait for that.
    if (cause instanceof SlowBodyError) reader.cancel().catch(() => undefined);
    throw cause;
  } finally {
    pace.end();
  }
}

function unread(cause: unknown, tooSlow = BODY_TOO_SLOW): Rejection {
  return cause instanceof SlowBodyError ? tooSlow : BODY_CUT_OFF;
}

async function readBytes(
  request: Request,
  { claimed, maxBytes }: BodySize,
  takeLarge: TakeLargeBody,
): Promise<Uint8Array | Rejection> {
  if (claimed > 0 && claimed <= Math.min(maxBytes, LIMITS.smallBodyBytes))
    return readWhole(request);
  const { body } = request;
  if (body === null) return new Uint8Array();
  if (claimed > maxBytes) {
    // A sender of megabytes that is cut off sees a reset connection, and never reads the rejection.
    const isDropped = maxBytes > LIMITS.bodyBytes && claimed <= 2 * maxBytes;
    // Too slow or cut off, it is too large all the same.
    if (isDropped) await readStart(body, 0, claimed).catch(() => undefined);
    return bodyTooLarge(maxBytes);
  }
  let end: (() => void) | undefined;
  const mayGrow = () => {
    end ??= takeLarge();
    return end !== undefined;
  };
  try {
    const bytes = await readUntilFull(body, claimed >= 0 ? claimed : maxBytes + 1, mayGrow);
    if (bytes === undefined) return TOO_MANY_LARGE;
    return bytes.byteLength > maxBytes ? bodyTooLarge(maxBytes) : bytes;
  } catch (cause) {
    return unread(cause);
  } finally {
    end?.();
  }
}

/** In one step, a third of the work of reading parts. The server before this code passes on no more than was claimed. */
async function readWhole(request: Request): Promise<Uint8Array | Rejection> {
  const { promise: tooSlow, reject: giveUp } = Promise.withResolvers<never>();
  const timer = setTimeout(() => giveUp(new SlowBodyError()), LIMITS.smallBodyMs);
  try {
    return new Uint8Array(await Promise.race([request.arrayBuffer(), tooSlow]));
  } catch (cause) {
    return unread(cause, SMALL_BODY_TOO_SLOW);
  } finally {
    clearTimeout(timer);
  }
}

const TOO_MANY_LARGE = reject(
  'rate_limited',
  'Too many large bodies are being sent with this credential and those of its line',
  { retryAfterSeconds: 1 },
);

function bodyTooLarge(maxBytes: number): Rejection {
  return reject('too_large', `A body may have ${maxBytes} bytes`, { maxBytes });
}

/** Reads into one buffer that grows with the bytes that arrive: collecting chunks costs several times as much. */
async function readUntilFull(
  body: ReadableStream<Uint8Array>,
  size: number,
  mayGrow: () => boolean,
): Promise<Uint8Array | undefined> {
  const reader = body.getReader({ mode: 'byob' });
  let buffer = new ArrayBuffer(Math.min(size, LIMITS.smallBodyBytes));
  let filled = 0;
  return atPace(reader, async (next) => {
    while (filled < size) {
      if (filled > LIMITS.bodyBytes && !mayGrow()) {
        await reader.cancel();
        return undefined;
      }
      // A sender that claims a long body and sends a short one must not make this server allocate much.
      if (filled === buffer.byteLength) buffer = buffer.transfer(Math.min(size, 2 * filled));
      const { value, done } = await next(reader.read(new Uint8Array(buffer, filled)));
      // The read transfers the buffer, and returns its bytes in a new one.
      if (value !== undefined) buffer = value.buffer;
      filled += value?.byteLength ?? 0;
      if (done) break;
    }
    return new Uint8Array(buffer, 0, filled);
  });
}

const JSON_TYPES = /^(?:application\/(?:[\w.!#$&^-]+\+)?json|text\/(?:json|plain))$/;
const FORM = 'application/x-www-form-urlencoded';
const CHARSETS = /^"?(?:utf-?8|us-ascii)"?$/;
const SEND_JSON = 'Send JSON with "Content-Type: application/json"';

/**
 * The body must be JSON in UTF-8, without a content encoding.
 *
 * `fetch` sends a string with text/plain or without a type, and curl calls everything after `-d` a form.
 * All three are accepted if the body is JSON. The type does not have to keep pages of other origins out:
 * credentials travel in a header that such a page cannot set.
 */
function mediaRejection(request: Request): Rejection | undefined {
  const { headers } = request;
  const encoded = encodingRejection(request);
  if (encoded !== undefined) return encoded;
  const { type, charset } = contentType(headers);
  if (type !== '' && type !== FORM && !JSON_TYPES.test(type)) {
    return unsupportedMedia(
      `A body of the type ${abbreviate(type)} is not read here. ${SEND_JSON}`,
    );
  }
  if (charset !== '' && !CHARSETS.test(charset)) {
    return unsupportedMedia(`A body in ${abbreviate(charset)} is not read here. Send it in UTF-8`);
  }
  return undefined;
}

function encodingRejection({ headers }: Request): Rejection | undefined {
  const encoding = headers.get('Content-Encoding')?.trim().toLowerCase() ?? '';
  if (encoding === '' || encoding === 'identity') return undefined;
  return unsupportedMedia(
    `A body encoded as ${abbreviate(encoding)} is not read here. Send it as it is`,
  );
}

/** A body that curl calls a form may be JSON; a list of fields and values is a form. */
function isForm({ headers }: Request, text: string): boolean {
  return contentType(headers).type === FORM && !/^\s*(?:[[{"]|$)/.test(text);
}

function formRejection(request: Request, text: string): Rejection | undefined {
  return isForm(request, text)
    ? unsupportedMedia(`Forms are not read here. ${SEND_JSON}`)
    : undefined;
}

function readPairs(text: string): FormPairs {
  return [...new URLSearchParams(text)];
}

function contentType(headers: Headers): { readonly type: string; readonly charset: string } {
  const header = (headers.get('Content-Type') ?? '').toLowerCase();
  const [type = ''] = /^[^;]*/.exec(header) ?? [];
  const [, charset = ''] = /;\s*charset\s*=\s*([^;]*)/.exec(header) ?? [];
  return { type: type.trim(), charset: charset.trim() };
}

function unsupportedMedia(message: string): Rejection {
  return reject('unsupported_media_type', message);
}

function abbreviate(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

const largeBodies = new RootPlaces(LIMITS.largeBodies);

/** Called once a body is larger than others. Returns its end, or undefined if so many are being read already. */
type TakeLargeBody = () => (() => void) | undefined;

/**
 * How many large bodies of one root are read at once (LIM-5): each takes as much memory as has arrived of it, for as
 * long as its sender takes.
 */
export function largeBodiesOf(root: string): TakeLargeBody {
  return () => largeBodies.take(root);
}
