/** Limits on what travels and on what is stored are octets of UTF-8; a text's own length is not. */

const UTF8 = new TextEncoder();

export function countBytes(text: string): number {
  return UTF8.encode(text).byteLength;
}

/** Counts only where the length does not tell: a unit of a text is one to three octets. */
export function fitsInBytes(text: string, maxBytes: number): boolean {
  if (text.length > maxBytes) return false;
  return text.length * 3 <= maxBytes || countBytes(text) <= maxBytes;
}
