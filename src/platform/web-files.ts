/**
 * The hosted chat and the API reference, read from the texts that `npm run build -- web` makes.
 *
 * Each text is parsed at the first request for a part of it: an isolate that serves only agents parses neither.
 */
import type { ReferenceFiles, WebFile, WebFiles } from '../http/ports.ts';

interface WebBundle {
  readonly page: string;
  readonly assets: Readonly<Record<string, string>>;
}

export function webFiles(text: string): WebFiles {
  const read = readOnce(() => {
    const { page, assets } = JSON.parse(text) as WebBundle;
    return { page: { text: page }, assets: filesOf(assets) };
  });
  return { page: () => read().page, asset: (name) => read().assets.get(name) };
}

export function referenceFiles(text: string): ReferenceFiles {
  const read = readOnce(() => {
    const parts = JSON.parse(text) as Readonly<Record<keyof ReferenceFiles, string>>;
    const { document, page, style } = parts;
    return { document: { text: document }, page: { text: page }, style: { text: style } };
  });
  return {
    document: () => read().document,
    page: () => read().page,
    style: () => read().style,
  };
}

function filesOf(texts: Readonly<Record<string, string>>): ReadonlyMap<string, WebFile> {
  return new Map(Object.entries(texts).map(([name, text]) => [name, { text }]));
}

function readOnce<Value>(read: () => Value): () => Value {
  let value: Value | undefined;
  return () => (value ??= read());
}
