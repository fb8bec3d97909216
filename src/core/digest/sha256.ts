/**
 * SHA-256 of a text, as hexadecimal.
 *
 * Uses memory that is allocated once: in a Worker every new buffer is an object of the platform, and creating buffers
 * took more time than hashing. Calls cannot overlap, because each is synchronous.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';

const utf8 = new TextEncoder();
const fresh = sha256.create();
const hash = sha256.create();
const digest = new Uint8Array(32);
/** Longer texts are rare and get a separate buffer. */
const short = new Uint8Array(8 * 1024);
/** The most UTF-8 bytes of one UTF-16 unit. */
const MAX_BYTES_PER_UNIT = 3;

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
