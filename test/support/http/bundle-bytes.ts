/** What the Worker imports in the place of a built bundle: its JSON as bytes, as they are and compressed. */
import { gzipSync } from 'node:zlib';

export function bundleBytes(bundle: object): ArrayBuffer {
  return new TextEncoder().encode(JSON.stringify(bundle)).buffer;
}

export function zippedBundle(bundle: object): ArrayBuffer {
  return new Uint8Array(gzipSync(JSON.stringify(bundle))).buffer;
}
