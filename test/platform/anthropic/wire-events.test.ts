/**
 * Every field of an answer that is used, missing or of another type. A bug here looks like a stored answer without a part of
 * it, or like an answer that is refused for a kind that this version does not know.
 */
import { describe, expect, it } from 'vitest';
import {
  MalformedAnswerError,
  readWireBlock,
  readWireDelta,
  readWireEvent,
} from '../../../src/platform/anthropic/wire-events.ts';

type Fields = { readonly type: string } & Readonly<Record<string, unknown>>;

const USAGE = { input_tokens: 3, output_tokens: null };
const EVENTS: readonly Fields[] = [
  { type: 'message_start', message: { role: 'assistant', usage: USAGE } },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hm' } },
  { type: 'content_block_stop', index: 2 },
  { type: 'message_delta', delta: { stop_reason: null }, usage: USAGE },
  { type: 'message_delta', delta: { stop_reason: 'end_turn' } },
  { type: 'message_stop' },
];
const WRONG_EVENTS: readonly [string, Fields][] = [
  ['no message', { type: 'message_start' }],
  ['another role', { type: 'message_start', message: { role: 'user', usage: USAGE } }],
  ['no usage', { type: 'message_start', message: { role: 'assistant' } }],
  [
    'half a token',
    { type: 'message_start', message: { role: 'assistant', usage: { input_tokens: 0.5 } } },
  ],
  ['a start without a block', { type: 'content_block_start', index: 0 }],
  ['a start without a place', { type: 'content_block_start', content_block: { type: 'text' } }],
  ['no delta', { type: 'content_block_delta', index: 0 }],
  ['a delta of no kind', { type: 'content_block_delta', index: 0, delta: { text: 'Hm' } }],
  ['a block of no kind', { type: 'content_block_start', index: 0, content_block: {} }],
  ['a delta without a place', { type: 'content_block_delta', delta: { type: 'text_delta' } }],
  ['a place below all', { type: 'content_block_stop', index: -1 }],
  ['a place between two', { type: 'content_block_stop', index: 0.5 }],
  ['a place as text', { type: 'content_block_stop', index: '0' }],
  ['an end without a delta', { type: 'message_delta', usage: USAGE }],
  ['an end without its reason', { type: 'message_delta', delta: {} }],
  ['a reason that is none', { type: 'message_delta', delta: { stop_reason: 4 } }],
  ['a usage that is none', { type: 'message_delta', delta: { stop_reason: null }, usage: 7 }],
  [
    'fewer tokens than none',
    { type: 'message_delta', delta: { stop_reason: null }, usage: { output_tokens: -1 } },
  ],
];
const BLOCKS: readonly Fields[] = [
  { type: 'text', text: '' },
  { type: 'thinking', thinking: 'Hm', signature: 'c2lnbmVk' },
  { type: 'redacted_thinking', data: 'c2VhbGVk' },
  { type: 'tool_use', id: 'toolu_1', name: 'Read', input: {} },
];
const WRONG_BLOCKS: readonly [string, Fields][] = [
  ['no text', { type: 'text' }],
  ['no thought', { type: 'thinking', signature: '' }],
  ['a signature that is none', { type: 'thinking', thinking: '', signature: null }],
  ['nothing redacted', { type: 'redacted_thinking', data: 3 }],
  ['a call without an id', { type: 'tool_use', id: '', name: 'Read' }],
  ['a call without a name', { type: 'tool_use', id: 'toolu_1', name: '' }],
];
const DELTAS: readonly Fields[] = [
  { type: 'text_delta', text: '' },
  { type: 'thinking_delta', thinking: 'Hm' },
  { type: 'signature_delta', signature: 'c2lnbmVk' },
  { type: 'input_json_delta', partial_json: '{' },
];

describe('[RUN-7] an answer', () => {
  it.each(WRONG_EVENTS)('with %s is malformed', (_name, event) => {
    expect(() => readWireEvent(event)).toThrow(MalformedAnswerError);
  });

  it.each(WRONG_BLOCKS)('with %s is malformed', (_name, block) => {
    expect(() => readWireBlock(block)).toThrow(MalformedAnswerError);
  });

  it.each(DELTAS)('with a $type of nothing is malformed', ({ type }) => {
    expect(() => readWireDelta({ type })).toThrow(MalformedAnswerError);
  });

  it.each([null, 'text', [], {}, { type: 3 }])('with %j as an event is malformed', (event) => {
    expect(() => readWireEvent(event)).toThrow(MalformedAnswerError);
  });
});

describe('[RUN-1] of an answer', () => {
  it('each used kind is read', () => {
    expect(EVENTS.map((event) => readWireEvent(event)?.type)).toEqual(
      EVENTS.map(({ type }) => type),
    );
    expect(BLOCKS.map(readWireBlock)).toEqual(BLOCKS);
    expect(DELTAS.map(readWireDelta)).toEqual(DELTAS);
  });

  it('an unknown kind is left out, also one that is named as every object has a member', () => {
    for (const type of ['pong', 'toString', '__proto__']) {
      expect([readWireEvent({ type }), readWireBlock({ type }), readWireDelta({ type })]).toEqual([
        undefined,
        undefined,
        undefined,
      ]);
    }
  });

  it('a thought without a signature has an empty one', () => {
    expect(readWireBlock({ type: 'thinking', thinking: 'Hm' })).toMatchObject({ signature: '' });
  });
});
