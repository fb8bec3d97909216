/**
 * Puts the content of attached files into a conversation that is about to be sent.
 *
 * A stored conversation names the files. Whether a file is shown or only named follows from the messages before it alone,
 * and a file never changes: so the beginning of a conversation is the same in every request, and the API reads it from its
 * cache. What the API would refuse is never shown: it would refuse every later request of the conversation too.
 */
import { decodeBase64 } from '../protocol/base64.ts';
import { describeAttachedFile } from '../protocol/describe-attached-files.ts';
import { decodeUtf8 } from '../protocol/json.ts';
import { LIMITS } from '../protocol/limits.ts';
import type { AttachedFile } from '../protocol/schema/attached-file.ts';
import type { ImageContent, ModelMessage, UserContent } from './message.ts';

/** The bytes of a file as base64; undefined if it is gone. */
export type ReadAttachedFile = (attachmentId: string) => string | undefined;

/** What the conversation has shown so far. */
interface ShownSoFar {
  pictures: number;
  pictureBytes: number;
  textBytes: number;
}

/** One conversation that grows, with its files shown. Its last message may still be joined with the next. */
export class ShownConversation {
  readonly #shown: ModelMessage[] = [];
  readonly #soFar: ShownSoFar = { pictures: 0, pictureBytes: 0, textBytes: 0 };
  #chars = 0;

  get chars(): number {
    return this.#chars;
  }

  /** The messages begin with those of the last time, except for its last. */
  show(messages: readonly ModelMessage[], read: ReadAttachedFile): readonly ModelMessage[] {
    while (this.#shown.length < messages.length - 1) {
      const shown = showMessage(messages[this.#shown.length] as ModelMessage, read, this.#soFar);
      this.#shown.push(shown);
      this.#chars += countChars(shown);
    }
    const last = messages.at(-1);
    return last === undefined ? [] : [...this.#shown, showMessage(last, read, { ...this.#soFar })];
  }
}

function showMessage(
  message: ModelMessage,
  read: ReadAttachedFile,
  shown: ShownSoFar,
): ModelMessage {
  return message.role === 'user' && message.content.some(({ type }) => type === 'file')
    ? { role: 'user', content: message.content.flatMap((block) => showBlock(block, read, shown)) }
    : message;
}

/** Of texts, results and pictures; what else a message has is short. */
function countChars({ content }: ModelMessage): number {
  let chars = 0;
  for (const block of content) {
    if ('text' in block) chars += block.text.length;
    else if ('content' in block) chars += block.content.length;
    else if ('data' in block) chars += block.data.length;
    else if ('input' in block) chars += JSON.stringify(block.input).length;
  }
  return chars;
}

/** The conversation without pictures, for a service that cannot read one of them. */
export function withoutPictures(messages: readonly ModelMessage[]): readonly ModelMessage[] {
  return messages.map((message) =>
    message.role === 'user'
      ? { role: 'user', content: message.content.map(replacePicture) }
      : message,
  );
}

export function hasPictures(messages: readonly ModelMessage[]): boolean {
  return messages.some(
    ({ role, content }) => role === 'user' && content.some(({ type }) => type === 'image'),
  );
}

function replacePicture(block: UserContent): UserContent {
  if (block.type !== 'image') return block;
  return { type: 'text', text: 'You cannot see this picture: the model service refused it.' };
}

function showBlock(block: UserContent, read: ReadAttachedFile, shown: ShownSoFar): UserContent[] {
  if (block.type !== 'file') return [block];
  const { file } = block;
  const named = `The person attached ${describeAttachedFile(file)}.`;
  const content = showPicture(file, read, shown) ?? showText(file, read, shown);
  if (typeof content === 'string') return [{ type: 'text', text: `${named} ${content}` }];
  return [{ type: 'text', text: named }, content];
}

const FILE_GONE = 'It is no longer stored.';
const NOT_READABLE = 'You cannot read files of this kind; ask for what you need of it as text.';
const TOO_LARGE = 'It is too large for you to read; ask for the part that you need as text.';
const NO_MORE_FILES =
  'This conversation shows you no more files; ask for what you need of it as text, or for a cleared conversation.';

/** Undefined for bytes that are no picture. */
function showPicture(
  { attachmentId, mediaType, bytes, width, height }: AttachedFile,
  read: ReadAttachedFile,
  shown: ShownSoFar,
): ImageContent | string | undefined {
  if (width === undefined || height === undefined) return undefined;
  const isTooLarge =
    bytes > LIMITS.modelImageBytes || Math.max(width, height) > LIMITS.modelImageSide;
  if (isTooLarge) return 'The picture is too large for you to see; ask for a smaller one.';
  const isOneTooMany =
    shown.pictures >= LIMITS.modelImages || shown.pictureBytes + bytes > LIMITS.modelImagesBytes;
  if (isOneTooMany) return NO_MORE_FILES;
  shown.pictures += 1;
  shown.pictureBytes += bytes;
  const data = read(attachmentId);
  return data === undefined ? FILE_GONE : { type: 'image', mediaType, data };
}

function showText(
  { attachmentId, mediaType, bytes }: AttachedFile,
  read: ReadAttachedFile,
  shown: ShownSoFar,
): string {
  const isText = /^text\/|[/+](?:json|xml|yaml|toml)$|^application\/(?:x-)?(?:javascript|sh)$/.test(
    mediaType,
  );
  if (bytes > LIMITS.modelFileBytes) return isText ? TOO_LARGE : NOT_READABLE;
  const data = read(attachmentId);
  if (data === undefined) return FILE_GONE;
  const text = decodeUtf8(decodeBase64(data));
  if (text === undefined || text.includes('\0')) return NOT_READABLE;
  if (shown.textBytes + bytes > LIMITS.modelFilesBytes) return NO_MORE_FILES;
  shown.textBytes += bytes;
  return `Its content:\n\n${text}`;
}
