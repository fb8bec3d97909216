/**
 * What a model gets of attached files. A bug here looks like a conversation that its API refuses for ever, a bill for a
 * conversation that is read anew each time, or an agent that answers about a file it never saw.
 */
import { describe, expect, it } from 'vitest';
import type { ModelMessage, UserContent } from '../../src/agent/message.ts';
import { hasPictures, ShownConversation, withoutPictures } from '../../src/agent/show-files.ts';
import { LIMITS } from '../../src/protocol/limits.ts';
import type { AttachedFile } from '../../src/protocol/schema/attached-file.ts';
import { attachmentIdOf } from '../support/sample-files.ts';

const file = (about: Partial<AttachedFile> = {}): AttachedFile => ({
  attachmentId: attachmentIdOf(1),
  name: 'note.txt',
  mediaType: 'text/plain',
  bytes: 5,
  path: '/v1/sessions/s/attachments/a',
  ...about,
});
const picture = (about: Partial<AttachedFile> = {}) =>
  file({ name: 'a.png', mediaType: 'image/png', width: 4, height: 3, ...about });
const user = (...content: readonly (AttachedFile | string)[]): ModelMessage => ({
  role: 'user',
  content: content.map((one) =>
    typeof one === 'string' ? { type: 'text', text: one } : { type: 'file', file: one },
  ),
});
const base64 = (text: string | Uint8Array) => Buffer.from(text).toString('base64');
const shown = (messages: readonly ModelMessage[], content: string | Uint8Array | undefined) =>
  new ShownConversation().show(messages, () =>
    content === undefined ? undefined : base64(content),
  );
const blocksOf = (one: AttachedFile, content?: string | Uint8Array) =>
  shown([user(one)], content)[0]?.content as UserContent[];
const textOf = (one: AttachedFile, content?: string | Uint8Array) =>
  blocksOf(one, content)
    .map((block) => (block.type === 'text' ? block.text : block.type))
    .join('|');

describe('[ATT-6] a file in a conversation', () => {
  it('is a picture behind its name', () => {
    expect(blocksOf(picture(), 'PNG')).toEqual([
      { type: 'text', text: 'The person attached a.png (image/png, 5 B).' },
      { type: 'image', mediaType: 'image/png', data: base64('PNG') },
    ]);
  });

  it.each([
    ['text', file(), 'Hello'],
    ['text of an unknown type', file({ mediaType: 'application/octet-stream' }), 'Hello'],
    ['as much text as it takes', file({ bytes: LIMITS.modelFileBytes }), 'Hello'],
  ])('is its content: %s', (_, one, content) => {
    expect(textOf(one, content)).toMatch(/Its content:\n\nHello$/);
  });

  it.each([
    ['bytes that are no text', file(), new Uint8Array([0xff, 0xfe]), 'cannot read files'],
    ['text with NUL', file(), 'a\0b', 'cannot read files'],
    ['a large text', file({ bytes: LIMITS.modelFileBytes + 1 }), 'Hello', 'too large'],
    [
      'a large file of another kind',
      file({ mediaType: 'application/pdf', bytes: LIMITS.modelFileBytes + 1 }),
      'Hello',
      'cannot read files',
    ],
    ['a vector image', file({ mediaType: 'image/svg+xml', bytes: 9e6 }), 'x', 'too large for you'],
    ['a heavy picture', picture({ bytes: LIMITS.modelImageBytes + 1 }), 'P', 'too large for you'],
    ['a wide picture', picture({ width: LIMITS.modelImageSide + 1 }), 'P', 'too large for you'],
    ['a high picture', picture({ height: LIMITS.modelImageSide + 1 }), 'P', 'too large for you'],
    ['a picture that is gone', picture(), undefined, 'no longer stored'],
    ['a text that is gone', file(), undefined, 'no longer stored'],
  ])('is only named: %s', (_, one, content, why) => {
    const text = textOf(one, content);
    expect(text).toMatch(/^The person attached /);
    expect(text).toContain(why);
    expect(text).not.toContain('|image');
  });

  it('is only named beyond the bounds of a conversation', () => {
    const pictures = Array.from({ length: LIMITS.modelImages + 2 }, () => user(picture()));
    const sent = shown(pictures, 'P').map(({ content }) => content.at(-1)?.type);
    expect(sent.filter((type) => type === 'image')).toHaveLength(LIMITS.modelImages);
    expect(sent.slice(-2)).toEqual(['text', 'text']);
    const heavy = Array.from({ length: 6 }, () => user(picture({ bytes: LIMITS.modelImageBytes })));
    const types = shown(heavy, 'P').map(({ content }) => content.at(-1)?.type);
    expect(types).toEqual(['image', 'image', 'image', 'image', 'text', 'text']);
    const texts = Array.from({ length: 9 }, () => user(file({ bytes: LIMITS.modelFileBytes })));
    const last = shown(texts, 'Hello').at(-1)?.content.at(-1);
    expect(last).toMatchObject({ text: expect.stringContaining('no more files') });
  });

  it('leaves the beginning of a conversation as it was, whatever follows', () => {
    const messages = Array.from({ length: 30 }, (_, at) =>
      user(`${at}`, at % 3 === 0 ? file() : picture({ bytes: 1_000_000 })),
    );
    const whole = JSON.stringify(shown(messages, 'Hello'));
    for (let length = 1; length < messages.length; length += 1) {
      const part = JSON.stringify(shown(messages.slice(0, length), 'Hello'));
      expect(whole.startsWith(part.slice(0, -1))).toBe(true);
    }
  });

  it('changes nothing of messages without files', () => {
    const messages = [user('Hello'), { role: 'assistant', content: [] } as ModelMessage];
    expect(shown(messages, 'P')).toEqual(messages);
    expect(hasPictures(messages)).toBe(false);
  });

  it('is said to be unseen where pictures are left out', () => {
    const messages = shown([user('Look', picture())], 'P');
    expect(hasPictures(messages)).toBe(true);
    const left = withoutPictures(messages);
    expect(hasPictures(left)).toBe(false);
    expect(left[0]?.content.at(-1)).toMatchObject({ text: expect.stringContaining('cannot see') });
  });
});
