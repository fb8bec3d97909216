/** What may be attached, and what a reload keeps. A bug here looks like a file that is gone when the person comes back. */
import { expect, it } from 'vitest';
import { AttachmentName } from '../../../src/protocol/schema/attached-file.ts';
import { LIMITS } from '../../../src/protocol/limits.ts';
import {
  fileNameFor,
  fileProblem,
  isPictureType,
  loadFileDraft,
  saveFileDraft,
} from '../../../src/web/model/file-draft.ts';
import { memoryStore } from '../../support/web/memory-store.ts';

const FILE = {
  attachmentId: `att_${'0'.repeat(32)}`,
  name: 'a.png',
  mediaType: 'image/png',
  bytes: 3,
  path: '/v1/sessions/s/attachments/a',
};

it.each([
  ['a.png', 'a.png'],
  ['päge – 1.png', 'päge – 1.png'],
  ['', 'file'],
  ['..', 'file'],
  ['a/b\\c\n.txt', 'a_b_c_.txt'],
  ['\u202Egnp.exe', '_gnp.exe'],
  [`${'x'.repeat(300)}.tar.gz`, `${'x'.repeat(197)}.gz`],
  ['\u{1f600}'.repeat(150), '\u{1f600}'.repeat(100)],
])('[ATT-1] the name %j is sent as %j, which the server takes', (name, sent) => {
  expect(fileNameFor(name)).toBe(sent);
  expect(AttachmentName.safeParse(fileNameFor(name)).success).toBe(true);
});

it('[ATT-1] says what is wrong with a file before it is sent', () => {
  const one = (size: number) => ({ name: 'a.png', size });
  expect(fileProblem(one(1), 0)).toBeUndefined();
  expect(fileProblem(one(LIMITS.attachmentBytes), 9)).toBeUndefined();
  expect(fileProblem(one(0), 0)).toContain('empty');
  expect(fileProblem(one(LIMITS.attachmentBytes + 1), 0)).toContain('larger than 5 MB');
  expect(fileProblem(one(1), 10)).toContain('At most 10 files');
  expect(fileProblem({ name: 'a\u202Eb', size: 0 }, 0)).not.toContain('\u202E');
});

it('[UI-8] keeps the files of a message and of each answer apart', () => {
  const store = memoryStore();
  const answer = { sessionId: 's', interactionId: 'call~1' };
  saveFileDraft(store, { sessionId: 's' }, [FILE]);
  expect(loadFileDraft(store, { sessionId: 's' })).toEqual([FILE]);
  expect(loadFileDraft(store, answer)).toEqual([]);
  saveFileDraft(store, answer, [FILE, FILE]);
  saveFileDraft(store, { sessionId: 's' }, []);
  expect(loadFileDraft(store, { sessionId: 's' })).toEqual([]);
  expect(loadFileDraft(store, answer)).toEqual([FILE, FILE]);
});

it.each(['', '{', '{}', '[1,null,{"name":"a"}]', '"text"'])('reads nothing from %j', (kept) => {
  const store = memoryStore({ 'holdpoint.files.s': kept });
  expect(loadFileDraft(store, { sessionId: 's' })).toEqual([]);
});

it('[ATT-3] draws four types and no others', () => {
  expect(['png', 'jpeg', 'gif', 'webp'].every((one) => isPictureType(`image/${one}`))).toBe(true);
  for (const type of ['image/svg+xml', 'text/html', 'image/png+x', ' image/png', '']) {
    expect(isPictureType(type)).toBe(false);
  }
});
