/**
 * The hosted chat and the API reference, read from the bytes that `npm run build -- web` makes.
 *
 * Both are compressed until the first request for a part of them, because workerd copies all data several times when it
 * starts. An isolate that serves only agents never reads them.
 */
import type { ReferenceFiles, WebFile, WebFiles } from '../http/ports.ts';

interface WebBundle {
  readonly page: string;
  readonly worker: string;
  readonly assets: Readonly<Record<string, string>>;
  /** In base64. */
  readonly pictures: Readonly<Record<string, string>>;
  readonly linkStyle: string;
}

export function webFiles(zipped: ArrayBuffer): WebFiles {
  const read = readOnce(zipped, ({ page, worker, assets, pictures, linkStyle }: WebBundle) => ({
    page: { text: page },
    worker: { text: worker },
    assets: new Map(Object.entries(assets).map(([name, text]) => [name, { text }])),
    pictures: new Map(Object.entries(pictures).map(([name, one]) => [name, bytesOf(one)])),
    linkStyle,
  }));
  return {
    page: async () => (await read()).page,
    worker: async () => (await read()).worker,
    asset: async (name) => (await read()).assets.get(name),
    picture: async (name) => (await read()).pictures.get(name),
    linkStyle: async () => (await read()).linkStyle,
  };
}

type ReferenceBundle = Readonly<Record<keyof ReferenceFiles, string>>;

export function referenceFiles(zipped: ArrayBuffer): ReferenceFiles {
  const read = readOnce(zipped, ({ document, page, style }: ReferenceBundle) => ({
    document: fileOf(document),
    page: fileOf(page),
    style: fileOf(style),
  }));
  return {
    document: async () => (await read()).document,
    page: async () => (await read()).page,
    style: async () => (await read()).style,
  };
}

/** Requests at the same time unzip it each by itself: one that waits for the promise of another would hang with it. */
function readOnce<Bundle, Parts>(
  zipped: ArrayBuffer,
  partsOf: (bundle: Bundle) => Parts,
): () => Promise<Parts> {
  let parts: Parts | undefined;
  return async () => {
    if (parts !== undefined) return parts;
    const read = partsOf((await unzip(zipped)) as Bundle);
    // The routes keep what they compress by the file, so later requests must get the same one.
    return (parts ??= read);
  };
}

function unzip(zipped: ArrayBuffer): Promise<unknown> {
  const stream = new Blob([zipped]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Response(stream).json();
}

function fileOf(text: string): WebFile {
  return { text };
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (character) => character.codePointAt(0) ?? 0);
}
