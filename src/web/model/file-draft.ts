/** Files that a person is about to send with a message or an answer: what may be chosen, and what a reload keeps. */
import { isObject, isText, type AttachedFile } from '../../protocol/types.ts';
import { ATTACHMENT_BYTES, ATTACHMENTS_PER_MESSAGE } from '../../protocol/limits.ts';
import type { DraftAddress } from './drafts.ts';
import type { KeyValueStore } from './key-value-store.ts';
import { escapeInvisible } from '../../protocol/escapes.ts';
import { t } from './language.ts';

const NAME_CHARS = 200;
/** What the server takes in no name: controls, formats that turn or hide text, and what separates folders. */
const ODD = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}/\\]/gu;

/** A name that the server takes; its end says what the file is, and stays. */
export function fileNameFor(name: string): string {
  const clean = name.replace(ODD, '_').trim();
  if (clean === '' || clean === '.' || clean === '..') return 'file';
  if (clean.length <= NAME_CHARS) return clean;
  const dot = clean.lastIndexOf('.');
  const end = dot > 0 && clean.length - dot <= 16 ? clean.slice(dot) : '';
  // Never half of a surrogate pair.
  return clean.slice(0, NAME_CHARS - end.length).replace(/[\ud800-\udbff]$/, '') + end;
}

/** Why this file cannot be sent; undefined if it can. */
export function fileProblem(
  { name, size }: { readonly name: string; readonly size: number },
  chosen: number,
): string | undefined {
  const shown = escapeInvisible(name);
  if (chosen >= ATTACHMENTS_PER_MESSAGE) {
    return t('At most {count} files at once; “{name}” was left out.', {
      count: ATTACHMENTS_PER_MESSAGE,
      name: shown,
    });
  }
  if (size === 0) return t('“{name}” is empty.', { name: shown });
  if (size > ATTACHMENT_BYTES) return t('“{name}” is larger than 5 MB.', { name: shown });
  return undefined;
}

/** A type that a browser draws from bytes that it is given, and that runs nothing. */
export function isPictureType(type: string): boolean {
  return /^image\/(?:png|jpeg|gif|webp)$/.test(type);
}

/** Of the message of a session, or of the answer to one interaction. */
export type FileDraftPlace = { readonly sessionId: string } | DraftAddress;

export function loadFileDraft(store: KeyValueStore, place: FileDraftPlace): AttachedFile[] {
  try {
    const value: unknown = JSON.parse(store.get(nameOf(place)) ?? '[]');
    return Array.isArray(value) ? value.filter(isAttachedFile) : [];
  } catch {
    return [];
  }
}

export function saveFileDraft(
  store: KeyValueStore,
  place: FileDraftPlace,
  files: readonly AttachedFile[],
): void {
  if (files.length === 0) store.remove(nameOf(place));
  else store.set(nameOf(place), JSON.stringify(files));
}

/** No session has `~` in its id, and every interaction has. */
function nameOf(place: FileDraftPlace): string {
  const session = `holdpoint.files.${encodeURIComponent(place.sessionId)}`;
  return 'interactionId' in place ? `${session}.${place.interactionId}` : session;
}

function isAttachedFile(value: unknown): value is AttachedFile {
  if (!isObject(value)) return false;
  const { attachmentId, name, mediaType, bytes, path } = value;
  return [attachmentId, name, mediaType, path].every(isText) && typeof bytes === 'number';
}
