/**
 * The log as server-sent events, made from the frames of a session. Frames are cut between their events without reading
 * them; a bug would look like an event that arrives in two pieces, under another number, or under the type of an object
 * inside it.
 */
import * as fc from 'fast-check';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createEventStream } from '../../src/http/streaming/sse-response.ts';
import { eventsFrame } from '../../src/session/frames-out.ts';
import { EventStreamParser } from '../support/event-stream-parser.ts';

interface WrittenEvent {
  readonly seq: number;
  readonly type: string;
}

/** What a reader receives for these frames. */
async function streamOf(frames: readonly string[]) {
  let receive = (_text: string): void => undefined;
  let end = (): void => undefined;
  const response = createEventStream({
    listen(received, ended) {
      [receive, end] = [received, ended];
    },
    close: () => undefined,
  });
  onTestFinished(() => end());
  const bytes = response.arrayBuffer();
  for (const frame of frames) receive(frame);
  end();
  return new EventStreamParser().push(new Uint8Array(await bytes));
}

function frameOf(events: readonly object[]): string {
  return eventsFrame({ json: events.map((event) => JSON.stringify(event)).join(',') });
}

function messagesOf(events: readonly WrittenEvent[]) {
  return events.map((event) => ({
    id: String(event.seq),
    event: event.type,
    data: JSON.stringify(event),
  }));
}

function textEvent(seq: number, payload: object): WrittenEvent {
  const event = { seq, at: 1_700_000_000_000, turnId: 'turn-1', type: 'assistant_text', payload };
  return event;
}

/** An object that begins as an event of the log does. */
const lookalike = (seq: number) => ({ seq, at: 1, type: 'user_message', payload: { text: '' } });

describe('a stream of events', () => {
  it.each([
    ['between its numbers', [textEvent(7, { list: [{}, lookalike(8)] }), textEvent(8, {})]],
    ['as the next of the last event', [textEvent(7, { list: [{}, lookalike(8)] })]],
    ['twice', [textEvent(7, { list: [{}, lookalike(8), lookalike(9)] }), textEvent(8, {})]],
    ['with its own number', [textEvent(7, { list: [{}, lookalike(7)] }), textEvent(8, {})]],
    ['in a text', [textEvent(7, { text: `},${JSON.stringify(lookalike(8))},` }), textEvent(8, {})]],
  ])(
    '[WS-4] an object that looks like an event, %s, stays inside its event',
    async (_where, events) => {
      expect(await streamOf([frameOf(events)])).toEqual(messagesOf(events));
    },
  );

  it('[WS-4] an event has its own type, wherever its fields stand', async () => {
    const events = [
      { seq: 1, at: 1, payload: { type: 'tool_call' }, type: 'thinking' },
      { seq: 2, at: 2, by: { type: 'tool_call' }, type: 'thinking', payload: {} },
      { at: 3, seq: 3, type: 'thinking', payload: {} },
    ];
    for (const event of events)
      expect(await streamOf([frameOf([event])])).toEqual(messagesOf([event]));
    expect(await streamOf([frameOf(events)])).toEqual(messagesOf(events));
  });

  it('[WS-4] other frames carry no id, and a frame without events gives nothing', async () => {
    const welcome = JSON.stringify({
      type: 'welcome',
      head: 0,
      note: '{"type":"events","events":[',
    });
    expect(await streamOf([welcome, frameOf([])])).toEqual([
      { id: undefined, event: 'welcome', data: welcome },
    ]);
  });

  it('[WS-4] a frame of many events is cut, and only its last event is read', async () => {
    const events = Array.from({ length: 500 }, (_, index) => textEvent(index + 1, { text: 'x' }));
    const frame = frameOf(events);
    const parse = vi.spyOn(JSON, 'parse');
    const stringify = vi.spyOn(JSON, 'stringify');
    onTestFinished(() => {
      vi.restoreAllMocks();
    });
    const messages = await streamOf([frame]);
    expect(parse.mock.calls).toEqual([[messages.at(-1)?.data]]);
    expect(stringify).not.toHaveBeenCalled();
    expect(messages).toHaveLength(500);
  });

  it('[WS-4] any events arrive as they are written', async () => {
    const key = fc.constantFrom('seq', 'at', 'type', 'payload', 'list', 'text');
    const { value } = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        fc.nat(4),
        fc.constantFrom(',{"seq":2,"at":', '"type":"', '{', '\\', '"', 'é\u2028', 'user_message'),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(key, tie('value'), { maxKeys: 4, noNullPrototype: true }),
        fc.nat(4).map(lookalike),
      ),
    }));
    const events = fc
      .tuple(fc.nat(3), fc.array(value, { minLength: 1, maxLength: 4 }))
      .map(([first, payloads]) =>
        payloads.map((payload, index) => textEvent(first + index, { payload })),
      );
    await fc.assert(
      fc.asyncProperty(events, async (written) => {
        expect(await streamOf([frameOf(written)])).toEqual(messagesOf(written));
      }),
      { numRuns: 300 },
    );
  });
});
