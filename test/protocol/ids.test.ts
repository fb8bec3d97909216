/**
 * Names travel in paths, logs and shells. A bug would look like an id that names another thing once it
 * stands in a URL, or an interaction id that cannot be taken apart again.
 */
import { describe, expect, it } from 'vitest';
import {
  IdempotencyKey,
  InteractionId,
  SessionId,
  ToolCallId,
} from '../../src/protocol/schema/ids.ts';
import { interactionId, parseInteractionId } from '../../src/protocol/ids.ts';

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
