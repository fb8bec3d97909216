/** Bytes as text that is safe in a URL: base64url without padding. */

export function encodeBase64Url(bytes: Uint8Array): string {
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** Undefined for every other spelling of the same bytes: each value has one text. */
export function decodeBase64Url(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(binary, (char) => char.charCodeAt(0));
    return encodeBase64Url(bytes) === text ? bytes : undefined;
  } catch {
    return undefined;
  }
}
