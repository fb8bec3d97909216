/** Files that people attach to messages and answers: sent before them, and read afterwards. */
import * as z from 'zod';
import { ATTACH_SCOPES } from '../../core/authority.ts';
import { recognizePicture } from '../../core/recognize-picture.ts';
import { encodeBase64 } from '../../protocol/base64.ts';
import { countBytes } from '../../protocol/bytes.ts';
import { reject } from '../../protocol/errors.ts';
import { hashBytes } from '../../protocol/hash-bytes.ts';
import { LIMITS } from '../../protocol/limits.ts';
import { AttachedFile, AttachmentId, AttachmentName } from '../../protocol/schema/attached-file.ts';
import { LOG_TAG, type RequestHeader, route, type RouteCall, type RouteResult } from '../route.ts';
import { sendAttachedFile } from '../send-attached-file.ts';
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
  const { body, query, session, identity, http } = call;
  if (body.byteLength === 0) return NO_BYTES;
  const picture = recognizePicture(body);
  const named = readMediaType(http.req.raw.headers.get('Content-Type'));
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
    handle: async ({ http, ports, identity, params }) =>
      sendAttachedFile(
        () => ports.findSession(identity.workspace, params.id),
        params.attachmentId,
        http.req.raw.headers.get('If-None-Match'),
      ),
  }),
];
