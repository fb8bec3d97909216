/** Bytes as base64 with padding, a piece at a time: a call takes only so many arguments. */

const PIECE_BYTES = 24_576;

export function encodeBase64(bytes: Uint8Array): string {
  const pieces: string[] = [];
  for (let from = 0; from < bytes.length; from += PIECE_BYTES) {
    // The length of a piece is divisible by three, so only the last one has padding.
    pieces.push(btoa(String.fromCharCode(...bytes.subarray(from, from + PIECE_BYTES))));
  }
  return pieces.join('');
}

export function decodeBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
}

/** Bytes as text that is safe in a URL: base64url without padding. */
export function encodeBase64Url(bytes: Uint8Array): string {
  return encodeBase64(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** Undefined for every other spelling of the same bytes: each value has one text. */
export function decodeBase64Url(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    const bytes = decodeBase64(text.replaceAll('-', '+').replaceAll('_', '/'));
    return encodeBase64Url(bytes) === text ? bytes : undefined;
  } catch {
    return undefined;
  }
}
