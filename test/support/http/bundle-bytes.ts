/** What the Worker imports in the place of a built bundle: its JSON, compressed. */
import { gzipSync } from 'node:zlib';

export function zippedBundle(bundle: object): ArrayBuffer {
  return new Uint8Array(gzipSync(JSON.stringify(bundle))).buffer;
}
