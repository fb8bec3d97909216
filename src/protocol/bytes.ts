/** Counts and hashes octets. Those of UTF-8 are the unit of limits on bodies and rows; the length of a text counts units of UTF-16. */

const UTF8_ENCODER = new TextEncoder();

/** The encoder allocates what it counts, and takes twice the time of the loop for a text that is not ASCII. */
const LOOP_CHARS = 16_384;

export function countBytes(text: string): number {
  return text.length > LOOP_CHARS ? UTF8_ENCODER.encode(text).byteLength : sumBytes(text);
}

/** Half of a surrogate pair counts as U+FFFD, which is written in its place. */
function sumBytes(text: string): number {
  let bytes = text.length;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code < 0x80) continue;
    bytes += code < 0x800 ? 1 : 2;
    if (isLead(code) && isTrail(text.charCodeAt(at + 1))) at += 1;
  }
  return bytes;
}

export function isLead(code: number): boolean {
  return (code & 0xfc00) === 0xd800;
}

function isTrail(code: number): boolean {
  return (code & 0xfc00) === 0xdc00;
}

/** Counts only if the length does not decide: one unit of UTF-16 is one to three octets. */
export function fitsInBytes(text: string, maxBytes: number): boolean {
  if (text.length > maxBytes) return false;
  return text.length * 3 <= maxBytes || countBytes(text) <= maxBytes;
}

/** SHA-256 by the platform, as lower-case hexadecimal. */
export async function hashBytes(
  bytes: Parameters<typeof crypto.subtle.digest>[1],
): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', bytes);
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
