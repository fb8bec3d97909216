/**
 * Digests that bind an answer to the input that was shown: SHA-256 over canonical JSON.
 *
 * The input digest also covers workspace, session, interaction and tool name, each with its length, so that no two
 * different calls share a digest. The request digest covers only kind, tool name and request, so that a repeated
 * request is recognized.
 */
import type { Json, JsonObject } from '../protocol/json.ts';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';

export interface InputAddress {
  readonly workspace: string;
  readonly session: string;
  readonly interactionId: string;
  readonly toolName: string;
}

export function digestInput(at: InputAddress, input: Json): string {
  const parts = [at.workspace, at.session, at.interactionId, at.toolName];
  const prefixed = parts.map((part) => `${utf8Length(part)}:${part}`).join('');
  return sha256Hex(`holdpoint/v1\n${prefixed}${canonicalize(input)}`);
}

/** Skips the encoder for ASCII; only the tool name can have other characters. */
function utf8Length(text: string): number {
  return NOT_ASCII.test(text) ? utf8Encoder.encode(text).length : text.length;
}

const NOT_ASCII = /[\u0080-\uffff]/;
const utf8Encoder = new TextEncoder();

export function digestRequest(kind: string, toolName: string, request: JsonObject): string {
  return sha256Hex(canonicalize({ kind, toolName, request }));
}

/** The digest that an exact rule matches: the same input to the same tool anywhere in a session. */
export function digestRule(toolName: string, input: JsonObject): string {
  return sha256Hex(canonicalize({ toolName, input }));
}

/** Distinguishes a repeated request from a different request under the same idempotency key. */
export function hashText(text: string): string {
  return sha256Hex(text).slice(0, 32);
}

/** Twice the depth that the checks accept, so that a caller can wrap a checked value before the digest. */
const MAX_CANONICAL_DEPTH = 64;

/**
 * The canonical text of a JSON value (RFC 8785). Digests cover its bytes.
 *
 * Members are sorted by UTF-16 code units, numbers and strings have their ECMAScript form, and there is no white space.
 * The caller has checked the value with `parseJson` or `checkJson`. A value that these functions refuse (a number that
 * is not finite, half a surrogate pair) has no canonical text and throws, because a digest over an invented text would
 * vouch for an input that was never shown.
 */
export function canonicalize(value: Json): string {
  return write(value, 0);
}

function write(value: Json, depth: number): string {
  if (typeof value === 'string') return writeText(value);
  if (typeof value === 'number') return writeNumber(value);
  if (value === null || typeof value === 'boolean') return String(value);
  if (depth >= MAX_CANONICAL_DEPTH)
    throw new RangeError(`Nested more than ${MAX_CANONICAL_DEPTH} levels deep`);
  if (Array.isArray(value)) return `[${value.map((item) => write(item, depth + 1)).join(',')}]`;
  const members = Object.entries(value)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, member]) => `${writeText(key)}:${write(member, depth + 1)}`);
  return `{${members.join(',')}}`;
}

function writeText(text: string): string {
  if (!text.isWellFormed()) throw new RangeError('Half of a surrogate pair has no canonical form');
  return JSON.stringify(text);
}

function writeNumber(value: number): string {
  if (!Number.isFinite(value))
    throw new RangeError('A number that is not finite has no canonical form');
  return String(value);
}

const utf8 = new TextEncoder();
const fresh = sha256.create();
const hash = sha256.create();
const digest = new Uint8Array(32);
/** Longer texts are rare and get a separate buffer. */
const short = new Uint8Array(8 * 1024);
/** The most UTF-8 bytes of one UTF-16 unit. */
const MAX_BYTES_PER_UNIT = 3;

/**
 * SHA-256 of a text, as hexadecimal.
 *
 * Uses memory that is allocated once: in a Worker every new buffer is an object of the platform, and creating buffers
 * took more time than hashing. Calls cannot overlap, because each is synchronous.
 */
export function sha256Hex(text: string): string {
  // oxlint-disable-next-line no-underscore-dangle
  fresh._cloneInto(hash);
  hash.update(encodeText(text)).digestInto(digest);
  return bytesToHex(digest);
}

function encodeText(text: string): Uint8Array {
  if (text.length * MAX_BYTES_PER_UNIT > short.length) return utf8.encode(text);
  return short.subarray(0, utf8.encodeInto(text, short).written);
}
