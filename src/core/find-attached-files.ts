/** The files that a message or an answer names: all of them are in the session, or the command changes nothing. */
import { type ReadResult, reject } from '../protocol/errors.ts';
import type { AttachedFile } from '../protocol/schema/attached-file.ts';
import type { Facts } from './decision.ts';

export function findAttachedFiles(
  ids: readonly string[] = [],
  { attachedFiles = [] }: Pick<Facts, 'attachedFiles'>,
): ReadResult<AttachedFile[]> {
  const files = ids.flatMap((id) => attachedFiles.filter((one) => one.attachmentId === id));
  if (files.length === ids.length) return { ok: true, value: files };
  const unknown = ids.filter((id) => !files.some((one) => one.attachmentId === id));
  const message = 'This session does not have an attached file any more; attach it again';
  return reject('unknown_attachment', message, { attachments: unknown });
}
