/**
 * Digests that bind an answer to the input that was shown: SHA-256 over canonical JSON.
 *
 * The input digest also covers workspace, session, interaction and tool name, each with its length, so that no two
 * different calls share a digest. The request digest covers only kind, tool name and request, so that a repeated
 * request is recognized.
 */
import { canonicalize } from '../protocol/canonical-json.ts';
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
  return sha256Hex(`holdpoint/v1\n${writeAddress(at)}${canonicalize(input)}`);
}

/** The same over an input that is held beside its record, by its SHA-256. No other text begins alike. */
export function digestHeldInput(at: InputAddress, sha256: string): string {
  return sha256Hex(`holdpoint/v1/whole\n${writeAddress(at)}${sha256}`);
}

function writeAddress(at: InputAddress): string {
  return [at.workspace, at.session, at.interactionId, at.toolName]
    .map((part) => `${utf8Length(part)}:${part}`)
    .join('');
}

/** Skips the encoder for ASCII; only the tool name can have other characters. */
function utf8Length(text: string): number {
  return NOT_ASCII.test(text) ? utf8Encoder.encode(text).length : text.length;
}

const NOT_ASCII = /[\u0080-\uffff]/;
const utf8Encoder = new TextEncoder();

export function digestRequest(kind: string, toolName: string, request: JsonObject): string {
  return sha256Hex(writeRequest(kind, toolName, request));
}

/** The text that the digest of a request covers. */
export function writeRequest(kind: string, toolName: string, request: JsonObject): string {
  return canonicalize({ kind, toolName, request });
}

/** The digest that an exact rule matches: the same input to the same tool anywhere in a session. */
export function digestRule(toolName: string, input: JsonObject): string {
  return sha256Hex(canonicalize({ toolName, input }));
}

export function digestHeldRule(toolName: string, sha256: string): string {
  return sha256Hex(canonicalize({ toolName, wholeInput: sha256 }));
}

/** Distinguishes a repeated request from a different request under the same idempotency key. */
export function hashText(text: string): string {
  return sha256Hex(text).slice(0, 32);
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
