/** The requests of a transport about attached files and about those of the agent; few pages of a session need them. */
import type { AttachedFile, FileEntry, SessionFile } from '../../protocol/types.ts';
import type { AttachOptions, FileToAttach, RequestOptions } from '../transport.ts';
import { freshKey, type HttpCalls, readPart, sessionPath } from './http-calls.ts';
import { type HttpReply, readReply } from './request.ts';

/** As long as the server waits for a body. */
const SLOW_LINE_MS = 300_000;

export async function attach(
  calls: HttpCalls,
  sessionId: string,
  { name, mediaType, bytes }: FileToAttach,
  { signal, wrapFetch }: AttachOptions = {},
): Promise<AttachedFile> {
  const path = `${sessionPath(sessionId, 'attachments')}?name=${encodeURIComponent(name)}`;
  const reply = await calls.send({
    method: 'POST',
    path,
    body: bytes,
    mediaType: mediaType || 'application/octet-stream',
    // The id follows from the file, so a repeat changes nothing.
    key: freshKey(),
    signal,
    wrapFetch,
    waitMs: SLOW_LINE_MS,
  });
  return readPart(reply, 'attachment');
}

export async function readAttachedFile(
  calls: HttpCalls,
  sessionId: string,
  attachmentId: string,
  { signal }: RequestOptions = {},
): Promise<Uint8Array<ArrayBuffer>> {
  let bytes = new Uint8Array();
  const read = async (response: Response): Promise<HttpReply> => {
    if (!response.ok) return readReply(response);
    bytes = new Uint8Array(await response.arrayBuffer());
    return { body: {}, text: '', isOld: false };
  };
  const path = sessionPath(sessionId, 'attachments', attachmentId);
  await calls.send({ method: 'GET', path, signal, read, waitMs: SLOW_LINE_MS });
  return bytes;
}

/** Of the agent, as its tools wrote them. */
export async function listAgentFiles(
  calls: HttpCalls,
  sessionId: string,
): Promise<readonly FileEntry[]> {
  return readPart(await calls.get(sessionPath(sessionId, 'files')), 'files');
}

export async function readAgentFile(
  calls: HttpCalls,
  sessionId: string,
  path: string,
): Promise<SessionFile> {
  return readPart(await calls.get(sessionPath(sessionId, 'files'), { path }), 'file');
}
