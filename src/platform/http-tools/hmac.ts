/** HMAC-SHA256 of a text, by the platform: the same in a Worker and in Node. */
type Bytes = Uint8Array<ArrayBuffer>;

export async function hmacSha256(key: Bytes | string, text: string): Promise<Bytes> {
  const bytes = typeof key === 'string' ? encode(key) : key;
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const imported = await crypto.subtle.importKey('raw', bytes, algorithm, false, ['sign']);
  return new Uint8Array(await crypto.subtle.sign('HMAC', imported, encode(text)));
}

export function toBase64(bytes: Bytes): string {
  return btoa(String.fromCharCode(...bytes));
}

function encode(text: string): Bytes {
  return new Uint8Array(new TextEncoder().encode(text));
}
