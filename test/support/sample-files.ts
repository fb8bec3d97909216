/** Small files as people attach them, and pictures whose bytes say no more than their type and size. */
import { encodeBase64 } from '../../src/protocol/base64.ts';
import type { AttachedFile } from '../../src/protocol/schema/attached-file.ts';
import { attachFile } from '../../src/session/attached-files.ts';
import { person } from './callers.ts';
import type { SessionWorld } from './session-world.ts';

export function pngBytes(width = 4, height = 3, padding = 0): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(33 + padding);
  bytes.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13]);
  bytes.set(new TextEncoder().encode('IHDR'), 12);
  const view = new DataView(bytes.buffer);
  view.setUint32(16, width);
  view.setUint32(20, height);
  return bytes;
}

/** A whole picture of one pixel, which every browser draws. */
export const ONE_PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

let count = 0;

export function attachmentIdOf(number: number): string {
  return `att_${number.toString(16).padStart(32, '0')}`;
}

interface Sample extends Partial<AttachedFile> {
  readonly content?: Uint8Array | string;
}

/** Stores a file in a session, as a request does. */
export function attachSample(
  { session }: Pick<SessionWorld, 'session'>,
  { content = 'Mind the step.', ...about }: Sample = {},
): AttachedFile {
  count += 1;
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  const file = {
    attachmentId: attachmentIdOf(count),
    name: 'note.txt',
    mediaType: 'text/plain',
    bytes: bytes.byteLength,
    ...about,
  };
  const attached = attachFile(session, file, encodeBase64(bytes), person());
  if (!attached.ok) throw new Error(`${attached.code}: ${attached.message}`);
  return attached.value;
}

export function attachPicture(world: Pick<SessionWorld, 'session'>, about: Sample = {}) {
  const size = { width: about.width ?? 4, height: about.height ?? 3 };
  return attachSample(world, {
    name: 'screen.png',
    mediaType: 'image/png',
    content: pngBytes(size.width, size.height),
    ...size,
    ...about,
  });
}
