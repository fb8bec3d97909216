/**
 * A text that is the same for everybody, served as a browser asks for it: compressed where it takes that,
 * and not at all where it has it already.
 */
import { hashText } from '../core/digest/digests.ts';
import { acceptsGzip } from './accept.ts';
import type { WebFile } from './ports.ts';

type Headers = Readonly<Record<string, string>>;

/** Made once for each text that is served, however often it is asked for. */
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
  // Without `manual` workerd would compress what is compressed already.
  const packed = { headers: { ...all, 'Content-Encoding': 'gzip' }, encodeBody: 'manual' } as const;
  return new Response(await compress(file), packed);
}

/** Weak, because it names the text and not the bytes that it was compressed to. */
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
  const names = known.split(',').map((one) => one.trim().replace(/^W\//, ''));
  return names.includes('*') || names.includes(tag.slice('W/'.length));
}

/** The bytes are kept and not the promise: one that belongs to a request which ends early never settles. */
async function compress(file: WebFile): Promise<ArrayBuffer> {
  const known = compressedTexts.get(file);
  if (known !== undefined) return known;
  const stream = new Blob([file.text]).stream().pipeThrough(new CompressionStream('gzip'));
  const bytes = await new Response(stream).arrayBuffer();
  compressedTexts.set(file, bytes);
  return bytes;
}
