/** Counts octets of UTF-8, the unit of limits on bodies and rows. The length of a text counts units of UTF-16. */

const UTF8_ENCODER = new TextEncoder();

export function countBytes(text: string): number {
  return UTF8_ENCODER.encode(text).byteLength;
}

/** Counts only if the length does not decide: one unit of UTF-16 is one to three octets. */
export function fitsInBytes(text: string, maxBytes: number): boolean {
  if (text.length > maxBytes) return false;
  return text.length * 3 <= maxBytes || countBytes(text) <= maxBytes;
}
