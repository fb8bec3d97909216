/** What the Worker imports in the place of a built bundle: its JSON as bytes. */
export function bundleBytes(bundle: object): ArrayBuffer {
  return new TextEncoder().encode(JSON.stringify(bundle)).buffer;
}
