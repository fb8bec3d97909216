/** Files that people attach to messages and answers: sent before them, and read afterwards. */
import * as z from '../../protocol/schema/zod.ts';
import { ATTACH_SCOPES } from '../../core/authority.ts';
import { recognizePicture } from '../../core/recognize-picture.ts';
import { encodeBase64, decodeBase64 } from '../../protocol/base64.ts';
import { countBytes, hashBytes } from '../../protocol/bytes.ts';
import { reject, type ReadResult, type Rejection } from '../../protocol/errors.ts';
import { LIMITS } from '../../protocol/limits.ts';
import { AttachedFile, AttachmentId, AttachmentName } from '../../protocol/schema/attached-file.ts';
import { findWhileValid } from '../authenticate.ts';
import { respondInPlace } from '../root-places.ts';
import { LOG_TAG, type RequestHeader, route, type RouteCall, type RouteResult } from '../route.ts';
import type { FilePart } from '../../session/attached-files.ts';
import type { FindSession } from '../send-input.ts';
import { streamParts } from '../streaming/stream-parts.ts';
import { InSession } from './params.ts';

const FileName = z.strictObject({
  name: AttachmentName.describe('The name of the file, as people read it.').meta({
    example: 'receipt.pdf',
  }),
});
const InAttachment = InSession.extend({
  attachmentId: AttachmentId.meta({
    description: 'The attached file.',
    example: `att_${'0'.repeat(32)}`,
  }),
});
const AttachmentBytes = z.instanceof(Uint8Array);
const AttachmentReply = z
  .strictObject({ attachment: AttachedFile })
  .meta({ id: 'AttachmentReply' });

const IF_NONE_MATCH: RequestHeader = {
  name: 'If-None-Match',
  description: 'The `ETag` of a copy that the caller has.',
  schema: { type: 'string' },
};
const NO_BYTES = reject('invalid_request', 'The file is empty; send its bytes as the body');

type UploadCall = RouteCall<{ id: string }, { name: string }, Uint8Array>;

async function upload(call: UploadCall): Promise<RouteResult> {
  const { body, query, session, identity, request } = call;
  if (body.byteLength === 0) return NO_BYTES;
  const picture = recognizePicture(body);
  const named = readMediaType(request.headers.get('Content-Type'));
  const mediaType = picture?.mediaType ?? (PICTURE_TYPE.test(named) ? UNKNOWN_TYPE : named);
  const attachmentId = await makeId(query.name, mediaType, body);
  const bytes = body.byteLength;
  const file = { attachmentId, name: query.name, bytes, ...picture, mediaType };
  const attached = await session.attach(file, encodeBase64(body), identity.caller);
  return attached.ok ? { status: 201, json: { attachment: attached.value } } : attached;
}

const UNKNOWN_TYPE = 'application/octet-stream';
/** What only the first bytes can say. */
const PICTURE_TYPE = /^image\/(?:png|jpe?g|gif|webp)$/;
const MEDIA_TYPE = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,62}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,62}$/;

/** Without parameters; a text that is no media type counts as none. Only its bytes make a file a picture. */
function readMediaType(header: string | null): string {
  const type = header?.split(';')[0]?.trim().toLowerCase() ?? '';
  return MEDIA_TYPE.test(type) ? type : UNKNOWN_TYPE;
}

/** From name, type and bytes: the same file sent again is the same attachment. */
async function makeId(name: string, mediaType: string, bytes: Uint8Array): Promise<string> {
  const head = new TextEncoder().encode(`${countBytes(name)} ${name} ${mediaType} `);
  const whole = new Uint8Array(head.byteLength + bytes.byteLength);
  whole.set(head);
  whole.set(bytes, head.byteLength);
  return `att_${(await hashBytes(whole)).slice(0, 32)}`;
}

export const attachmentRoutes = [
  route({
    method: 'POST',
    path: '/v1/sessions/:id/attachments',
    operationId: 'attachSessionFile',
    tag: LOG_TAG,
    summary: 'Store a file, for a message or an answer that names it in `attachments`',
    description:
      'The body is the file, with its `Content-Type`. Sending the same file again gives the same id. A file that no message and no answer names is deleted after a day.',
    access: { in: 'session', anyOf: ATTACH_SCOPES },
    params: InSession,
    query: FileName,
    body: AttachmentBytes,
    bodyIsBytes: true,
    bodyLimits: { maxBytes: LIMITS.attachmentBytes, maxValues: 0 },
    responses: {
      201: { description: 'The session has the file', schema: AttachmentReply },
      429: { description: 'The session has no room for more files' },
    },
    errorCodes: ['limit_reached'],
    handle: upload,
  }),
  route({
    method: 'GET',
    path: '/v1/sessions/:id/attachments/:attachmentId',
    operationId: 'getSessionAttachment',
    tag: LOG_TAG,
    summary: 'Download an attached file, byte for byte',
    description:
      'A png, jpeg, gif or webp has its media type; everything else is `application/octet-stream` and a file to save.',
    access: { in: 'session', anyOf: ['read', 'agent'] },
    params: InAttachment,
    headers: [IF_NONE_MATCH],
    responses: {
      200: { description: 'The bytes' },
      304: { description: 'The caller has them, as `If-None-Match` says' },
    },
    media: { '*/*': 'The bytes of the file.' },
    handle: async ({ request, ports, identity, params }) =>
      respondInPlace('downloads', { caller: identity.caller, request }, (onEnd) =>
        sendAttachedFile(findWhileValid(identity, params.id, ports), params.attachmentId, {
          knownTags: request.headers.get('If-None-Match'),
          onEnd,
        }),
      ),
  }),
];

/**
 * An attached file as a response: byte for byte, read part by part while the reader takes it.
 *
 * A person wrote it, and others open it with their own rights. Only pictures that the server has recognized are shown by a
 * browser; everything else is a file to save, whatever its sender called it.
 */
async function sendAttachedFile(
  findSession: FindSession,
  attachmentId: string,
  { knownTags, onEnd }: { readonly knownTags: string | null; readonly onEnd: () => void },
): Promise<Response | Rejection> {
  const read = async (part: number): Promise<ReadResult<FilePart>> => {
    const found = await findSession();
    return found.ok ? found.session.attachedPart(attachmentId, part) : found;
  };
  const first = await read(0);
  if (!first.ok) return first;
  const headers = fileHeadersOf(first.value.file);
  if (isKnown(headers.ETag, knownTags)) return new Response(null, { status: 304, headers });
  const { bytes } = first.value.file;
  const whole = { bytes, first: first.value };
  const body = streamParts(whole, read, ({ base64 }) => decodeBase64(base64), onEnd);
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
