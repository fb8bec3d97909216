/**
 * Names travel in paths, logs and shells. A bug would look like an id that names another thing once it
 * stands in a URL, or an interaction id that cannot be taken apart again.
 */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  IdempotencyKey,
  InteractionId,
  SessionId,
  ToolCallId,
} from '../../src/protocol/schema/ids.ts';
import { countFor } from '../support/run-length.ts';
import { fitToolCallId, interactionId, parseInteractionId } from '../../src/protocol/ids.ts';

const UNSAFE = ['', ' ', 'a b', 'a/b', 'a?b', 'a#b', 'a%2fb', 'ä', 'a\n', 'a~1', 'x'.repeat(129)];

describe('an id', () => {
  it.each(['a', 'toolu_01AbC', 'call.1:2-3', 'x'.repeat(128)])('[INT-1] may be %j', (id) => {
    expect(ToolCallId.safeParse(id).success).toBe(true);
    expect(SessionId.safeParse(id).success).toBe(true);
    expect(encodeURIComponent(id).replaceAll('%3A', ':')).toBe(id);
  });

  it.each(UNSAFE)('[LIM-1] may not be %j', (id) => {
    expect(ToolCallId.safeParse(id).success).toBe(false);
    expect(SessionId.safeParse(id).success).toBe(false);
  });

  it.each(['.', '..', '.hidden'])(
    '[LIM-1] of a session may not be %j: paths fold it away',
    (id) => {
      expect(SessionId.safeParse(id).success).toBe(false);
    },
  );

  it('[LIM-1] of a repeat has 8 to 128 plain characters', () => {
    expect(IdempotencyKey.safeParse('abcdefgh').success).toBe(true);
    for (const key of ['abcdefg', 'x'.repeat(129), 'abc defgh', 'abcdefgh\n'])
      expect(IdempotencyKey.safeParse(key).success).toBe(false);
  });
});

describe('the id of an interaction', () => {
  it.each([
    ['call-1', 1],
    ['toolu_01.a:b-c', 999_999],
    ['x'.repeat(128), 20],
  ])('[INT-1, INT-5] is its tool call and its step: %s, %i', (toolCallId, step) => {
    const id = interactionId(toolCallId, step);
    expect(InteractionId.safeParse(id).success).toBe(true);
    expect(parseInteractionId(id)).toEqual({ toolCallId, step });
  });

  it.each(['call-1', 'call-1~', 'call-1~0', 'call-1~01', 'call-1~1~2', 'call-1~x', '~1', 'a/b~1'])(
    '[LIM-1] is not %j',
    (id) => {
      expect(parseInteractionId(id)).toBeUndefined();
    },
  );
});

describe('the id of a call of another program', () => {
  const isLegal = (id: string) => ToolCallId.safeParse(id).success;
  const HASHED = /^hashed:[0-9a-f]{64}$/;

  it.each(['a', 'toolu_01AbC', 'hashed:', 'hashed:abc', 'x'.repeat(128)])(
    '[INT-5] stays if it is legal: %j',
    async (text) => expect(await fitToolCallId(text)).toBe(text),
  );

  it.each(UNSAFE.filter((text) => text !== ''))('[INT-5] is hashed if it is %j', async (text) => {
    expect(await fitToolCallId(text)).toMatch(HASHED);
    expect(isLegal(await fitToolCallId(text))).toBe(true);
  });

  it('[INT-5] is hashed if it looks like a hash, so that no text passes for another', async () => {
    const hashed = await fitToolCallId('call 1');
    expect(await fitToolCallId(hashed)).toMatch(HASHED);
    expect(await fitToolCallId(hashed)).not.toBe(hashed);
  });

  it('[INT-5] is refused if it is empty, because an empty text names no call', async () => {
    expect(isLegal(await fitToolCallId(''))).toBe(false);
  });

  const near = (text: string) => [text, `${text} `, `${text}\uD800`, `${text}\uFFFD`, `${text}/1`];
  const unit = fc.string({ unit: 'binary', maxLength: 160 });
  const half = fc.constantFrom('\uD800', '\uDFFF', '\uFFFD', '\\ud800', 'a b', '~1');
  const text = fc.oneof(
    unit,
    fc.array(half, { maxLength: 4 }).map((parts) => parts.join('')),
  );

  it('[INT-5] differs for every two texts, halves of surrogate pairs and hashes included', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 8 }), async (some) => {
        const plain = some.flatMap(near);
        const texts = [...new Set([...plain, ...(await Promise.all(plain.map(fitToolCallId)))])];
        const ids = await Promise.all(texts.map(fitToolCallId));
        expect(new Set(ids).size).toBe(texts.length);
        expect(ids.every((id) => id === '' || isLegal(id))).toBe(true);
      }),
      { numRuns: countFor({ quick: 60, long: 2_000 }) },
    );
  });
});
