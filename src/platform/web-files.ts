/**
 * The hosted chat and the API reference, read from the bytes that `npm run build -- web` makes.
 *
 * Each is decoded and parsed at the first request for a part of it: an isolate that serves only agents does neither. The
 * reference is compressed, because workerd copies all data several times when it starts.
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

export function webFiles(bytes: ArrayBuffer): WebFiles {
  const read = readOnce(() => {
    const { page, worker, assets, pictures, linkStyle } = parseBundle(bytes) as WebBundle;
    return {
      page: { text: page },
      worker: { text: worker },
      assets: filesOf(assets),
      pictures: new Map(Object.entries(pictures).map(([name, one]) => [name, bytesOf(one)])),
      linkStyle,
    };
  });
  return {
    page: () => read().page,
    worker: () => read().worker,
    asset: (name) => read().assets.get(name),
    picture: (name) => read().pictures.get(name),
    linkStyle: () => read().linkStyle,
  };
}

type ReferenceParts = Readonly<Record<keyof ReferenceFiles, WebFile>>;

export function referenceFiles(zipped: ArrayBuffer): ReferenceFiles {
  let parts: ReferenceParts | undefined;
  // Requests at the same time unzip it each by itself: one that waits for the promise of another would hang with it.
  const read = async () => {
    const { document, page, style } = (await unzip(zipped)) as Record<keyof ReferenceFiles, string>;
    return (parts ??= {
      document: { text: document },
      page: { text: page },
      style: { text: style },
    });
  };
  const part = (name: keyof ReferenceFiles) => async () => (parts ?? (await read()))[name];
  return { document: part('document'), page: part('page'), style: part('style') };
}

function unzip(zipped: ArrayBuffer): Promise<unknown> {
  const stream = new Blob([zipped]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Response(stream).json();
}

function parseBundle(bytes: ArrayBuffer): unknown {
  return JSON.parse(new TextDecoder().decode(bytes));
}

function filesOf(texts: Readonly<Record<string, string>>): ReadonlyMap<string, WebFile> {
  return new Map(Object.entries(texts).map(([name, text]) => [name, { text }]));
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (character) => character.codePointAt(0) ?? 0);
}

function readOnce<Value>(read: () => Value): () => Value {
  let value: Value | undefined;
  return () => (value ??= read());
}
