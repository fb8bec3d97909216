/** Bytes as text that is safe in a URL: base64url without padding. */
import { decodeBase64, encodeBase64 } from './base64.ts';

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
