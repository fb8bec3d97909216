/** The hosted chat, out of the text that `npm run build:web` made of it. */
import type { WebFile, WebFiles } from '../http/ports.ts';

interface Bundle {
  readonly page: string;
  readonly assets: Readonly<Record<string, string>>;
}

/** Read when the first page is asked for: an isolate that serves only agents never pays for it. */
export function webFiles(text: string): WebFiles {
  let files: { readonly page: WebFile; readonly assets: ReadonlyMap<string, WebFile> } | undefined;
  const read = () => {
    if (files !== undefined) return files;
    const { page, assets } = JSON.parse(text) as Bundle;
    const named = Object.entries(assets).map(([name, asset]) => [name, { text: asset }] as const);
    return (files = { page: { text: page }, assets: new Map(named) });
  };
  return { page: () => read().page, asset: (name) => read().assets.get(name) };
}
