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
