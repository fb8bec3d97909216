/**
 * Serves a text that is the same for every client: compressed where the client accepts gzip, and without
 * a body where the client has the text already.
 */
import { hashText } from '../core/digest.ts';
import { acceptsGzip } from './accept.ts';
import type { WebFile } from './ports.ts';

type Headers = Readonly<Record<string, string>>;

/** Each text is compressed once. */
const compressedTexts = new WeakMap<WebFile, ArrayBuffer>();
const entityTags = new WeakMap<WebFile, string>();

export async function serveText(
  request: Request,
  file: WebFile,
  headers: Headers,
): Promise<Response> {
  const all = { ...headers, ETag: entityTagOf(file), Vary: 'Accept-Encoding' };
  if (isUnchanged(request, all.ETag)) return new Response(null, { status: 304, headers: all });
  if (!acceptsGzip(request)) return new Response(file.text, { headers: all });
  // Without `manual` workerd would compress the compressed bytes again.
  const packed = { headers: { ...all, 'Content-Encoding': 'gzip' }, encodeBody: 'manual' } as const;
  return new Response(await compress(file), packed);
}

/** Weak, because the tag names the text and not its compressed bytes. */
function entityTagOf(file: WebFile): string {
  const known = entityTags.get(file);
  if (known !== undefined) return known;
  const tag = `W/"${hashText(file.text)}"`;
  entityTags.set(file, tag);
  return tag;
}

function isUnchanged({ headers }: Request, tag: string): boolean {
  const known = headers.get('If-None-Match');
  if (known === null) return false;
  const names = known.split(',').map((name) => name.trim().replace(/^W\//, ''));
  return names.includes('*') || names.includes(tag.slice('W/'.length));
}

/** Keeps the bytes and not the promise: the promise of a request that ends early never settles. */
async function compress(file: WebFile): Promise<ArrayBuffer> {
  const known = compressedTexts.get(file);
  if (known !== undefined) return known;
  const stream = new Blob([file.text]).stream().pipeThrough(new CompressionStream('gzip'));
  const bytes = await new Response(stream).arrayBuffer();
  compressedTexts.set(file, bytes);
  return bytes;
}
