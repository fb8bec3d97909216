/**
 * The files that people attach to messages and answers (ATT). They are stored beside the log, before a message or an answer
 * names them.
 *
 * 1. A file never changes: its id is made from its name, its type and its bytes, so sending it again changes nothing.
 * 2. What no message and no answer names is deleted after a day: with the next file that comes, or by the alarm.
 * 3. A named file stays as long as the session.
 */
import { ATTACH_SCOPES, hasAnyScope, rejectMissingScope } from '../core/authority.ts';
import type { SessionState } from '../core/state.ts';
import type { Caller } from '../protocol/caller.ts';
import { type ReadResult, reject } from '../protocol/errors.ts';
import { LIMITS } from '../protocol/limits.ts';
import type { AttachedFile } from '../protocol/schema/attached-file.ts';
import type { Command } from '../protocol/schema/command.ts';
import type { AttachedFiles, SessionPorts, SessionStore, StoredAttachedFile } from './ports.ts';
import { requireState } from './queries.ts';
import type { Session } from './session.ts';

export type NewAttachedFile = Omit<AttachedFile, 'path'>;

export function attachFile(
  session: Session,
  file: NewAttachedFile,
  base64: string,
  caller: Caller,
): ReadResult<AttachedFile> {
  const state = requireState(session);
  if ('ok' in state) return state;
  if (!hasAnyScope(caller, ATTACH_SCOPES)) return rejectMissingScope(ATTACH_SCOPES);
  const { store, now, warn } = session.ports;
  const path = `/v1/sessions/${encodeURIComponent(state.info.id)}/attachments/${file.attachmentId}`;
  try {
    removeUnusedFiles(session.ports);
    const stored = storeFile(store.attachedFiles, { ...file, path, uploadedAt: now() }, base64);
    session.sweepFilesAt(nextFileSweep(store.attachedFiles));
    return stored;
  } catch (cause) {
    warn('An attached file could not be written', cause);
    return FILE_NOT_WRITTEN;
  }
}

function storeFile(
  files: AttachedFiles,
  file: StoredAttachedFile,
  base64: string,
): ReadResult<AttachedFile> {
  const { attachmentId, uploadedAt, bytes } = file;
  const known = files.find(attachmentId);
  if (known !== undefined) {
    // A person who sends it again may need another day to write the message.
    if (known.isUsed !== true) files.touch(attachmentId, uploadedAt);
    return { ok: true, value: viewFile(known) };
  }
  const stored = files.list();
  if (stored.length >= LIMITS.attachmentsPerSession) return rejectFull('attachmentsPerSession');
  const total = stored.reduce((sum, one) => sum + one.bytes, bytes);
  if (total > LIMITS.attachmentsBytes) return rejectFull('attachmentsBytes');
  files.add(file, base64);
  return { ok: true, value: viewFile(file) };
}

function rejectFull(limit: 'attachmentsPerSession' | 'attachmentsBytes') {
  const message =
    'This session has no room for more files. Those that no message names are deleted after a day; go on in a new session, or link to the file';
  return reject('limit_reached', message, { limit, max: LIMITS[limit] });
}

const FILE_NOT_WRITTEN = reject(
  'write_failed',
  'The file could not be stored, and nothing of it is kept. Try again.',
);
const NO_FILE = reject(
  'not_found',
  'There is no such attached file in this session; what no message names is deleted after a day',
);

function viewFile({ uploadedAt: _at, isUsed: _used, ...file }: StoredAttachedFile): AttachedFile {
  return file;
}

/** A full disk stays full for a while; an earlier alarm would keep the session awake. */
const REMOVAL_RETRY_MS = 600_000;

/** Deletes what nothing has named for a day; returns when to look again, or null. */
export function sweepFiles(
  ports: Pick<SessionPorts, 'store' | 'now' | 'warn'>,
  state: SessionState | null,
): number | null {
  if (state?.info.deletedAt !== null) return null;
  try {
    removeUnusedFiles(ports);
    return nextFileSweep(ports.store.attachedFiles);
  } catch (cause) {
    ports.warn('Attached files that nothing names could not be deleted', cause);
    return ports.now() + REMOVAL_RETRY_MS;
  }
}

function removeUnusedFiles({ store, now }: Pick<SessionPorts, 'store' | 'now'>): void {
  const until = now() - LIMITS.unusedAttachmentMs;
  const unused = listUnused(store.attachedFiles).filter(({ uploadedAt }) => uploadedAt <= until);
  const ids = unused.map(({ attachmentId }) => attachmentId);
  if (ids.length > 0) store.attachedFiles.remove(ids);
}

/** When the next unused file is a day old; null if there is none. */
function nextFileSweep(files: AttachedFiles): number | null {
  const times = listUnused(files).map(({ uploadedAt }) => uploadedAt);
  return times.length === 0 ? null : Math.min(...times) + LIMITS.unusedAttachmentMs;
}

function listUnused(files: AttachedFiles): readonly StoredAttachedFile[] {
  return files.list().filter(({ isUsed }) => isUsed !== true);
}

/** A part of the bytes, which is decoded by itself, with the name, type and size of the file. */
export interface FilePart {
  readonly file: AttachedFile;
  readonly base64: string;
  readonly isLast: boolean;
}

export function readAttachedPart(
  session: Session,
  attachmentId: string,
  part: number,
): ReadResult<FilePart> {
  const state = requireState(session);
  if ('ok' in state) return state;
  const files = session.ports.store.attachedFiles;
  const file = files.find(attachmentId);
  const base64 = file && files.part(attachmentId, part);
  if (file === undefined || base64 === undefined) return NO_FILE;
  const isLast = files.part(attachmentId, part + 1) === undefined;
  return { ok: true, value: { file: viewFile(file), base64, isLast } };
}

/** The whole file as base64; undefined if it is gone. */
export function readAttachedText(
  { attachedFiles }: Pick<SessionStore, 'attachedFiles'>,
  attachmentId: string,
): string | undefined {
  const parts: string[] = [];
  for (;;) {
    const part = attachedFiles.part(attachmentId, parts.length);
    if (part === undefined) return parts.length === 0 ? undefined : parts.join('');
    parts.push(part);
  }
}

/** Those of the files that a command names which the session has. */
export function findNamedFiles(
  { attachedFiles }: Pick<SessionStore, 'attachedFiles'>,
  command: Command,
): readonly AttachedFile[] {
  return idsNamedBy(command).flatMap((id) => {
    const file = attachedFiles.find(id);
    return file === undefined ? [] : [viewFile(file)];
  });
}

/** What the command names, before its schema is checked: an answer has that of its kind. */
function idsNamedBy(command: Command): readonly string[] {
  const named =
    command.type === 'message.send'
      ? command.attachments
      : command.type === 'interaction.answer'
        ? command.answer['attachments']
        : undefined;
  if (!Array.isArray(named) || named.length > LIMITS.attachmentsPerMessage) return [];
  return named.filter((id): id is string => typeof id === 'string');
}
