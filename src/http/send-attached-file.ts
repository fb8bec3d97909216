/**
 * An attached file as a response: byte for byte, read part by part while the reader takes it.
 *
 * A person wrote it, and others open it with their own rights. Only pictures that the server has recognized are shown by a
 * browser; everything else is a file to save, whatever its sender called it.
 */
import { decodeBase64 } from '../protocol/base64.ts';
import type { ReadResult, Rejection } from '../protocol/errors.ts';
import type { AttachedFile } from '../protocol/schema/attached-file.ts';
import type { FilePart } from '../session/attached-files.ts';
import type { FindSession } from './send-input.ts';

export async function sendAttachedFile(
  findSession: FindSession,
  attachmentId: string,
  knownTags: string | null,
): Promise<Response | Rejection> {
  // The reader decides how long this takes: the stub of an earlier part may be broken by now.
  const read = async (part: number): Promise<ReadResult<FilePart>> => {
    const found = await findSession();
    return found.ok ? found.session.attachedPart(attachmentId, part) : found;
  };
  const first = await read(0);
  if (!first.ok) return first;
  const headers = fileHeadersOf(first.value.file);
  if (isKnown(headers.ETag, knownTags)) return new Response(null, { status: 304, headers });
  let part = 0;
  let next: FilePart | undefined = first.value;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (next === undefined) {
        part += 1;
        const further = await read(part);
        // Half of a file must not look like all of it, so the transfer breaks.
        if (!further.ok) throw new Error(further.message);
        next = further.value;
      }
      controller.enqueue(decodeBase64(next.base64));
      if (next.isLast) controller.close();
      next = undefined;
    },
  });
  return new Response(body, { headers });
}

/** The bytes never change, but the rights of the reader may: a browser asks each time before it uses its copy. */
function fileHeadersOf({ attachmentId, name, mediaType, width }: AttachedFile) {
  const isPicture = width !== undefined;
  return {
    'Content-Type': isPicture ? mediaType : 'application/octet-stream',
    'Content-Disposition': `${isPicture ? 'inline' : 'attachment'}; ${fileNameParameters(name)}`,
    'Content-Security-Policy': "sandbox; default-src 'none'",
    'Cross-Origin-Resource-Policy': 'same-origin',
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'private, no-cache',
    ETag: `"${attachmentId}"`,
  };
}

/** RFC 6266: a name of plain characters for old readers, and the exact one in the form of RFC 8187. */
export function fileNameParameters(name: string): string {
  const plain = name.replace(/[^ -~]|["\\%]/g, '_');
  const exact = encodeURIComponent(name).replace(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `filename="${plain}"; filename*=UTF-8''${exact}`;
}

function isKnown(tag: string, knownTags: string | null): boolean {
  const tags = knownTags?.split(',').map((one) => one.trim().replace(/^W\//, '')) ?? [];
  return tags.includes(tag) || tags.includes('*');
}
