/** Server-sent events, cut anywhere. A bug here looks like a letter that is lost between two packets. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EventStreamParser } from '../../src/protocol/event-stream-parser.ts';
import { lowestCpuMs } from '../support/cpu-time.ts';

function parsed(bytes: Uint8Array, cuts: readonly number[]) {
  const parser = new EventStreamParser();
  const at = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).toSorted((a, b) => a - b)];
  return at.flatMap((from, index) =>
    parser.push(bytes.subarray(from, at[index + 1] ?? bytes.length)),
  );
}
const encode = (text: string) => new TextEncoder().encode(text);

describe('a stream of server-sent events', () => {
  it('[WS-4] parses the same wherever it is cut, with any line ends', () => {
    const letters = fc
      .string({ unit: 'grapheme', maxLength: 12 })
      .map((one) => one.replace(/[\r\n]/g, ''));
    const message = fc.record({ id: fc.nat(), event: fc.constantFrom('a', 'b'), data: letters });
    const end = fc.constantFrom('\n', '\r\n', '\r');
    fc.assert(
      fc.property(fc.array(message), end, fc.array(fc.nat()), (messages, eol, cuts) => {
        const text = messages
          .map(({ id, event, data }) =>
            [`id: ${id}`, `event:${event}`, ': hm', `data: ${data}`, '', ''].join(eol),
          )
          .join('');
        expect(parsed(encode(text), cuts)).toEqual(
          messages.map(({ id, event, data }) => ({ id: String(id), event, data })),
        );
      }),
    );
  });

  it('[WS-4] joins lines of data, and drops events without data and unfinished events', () => {
    const text = ': hello\n\nevent: x\n\ndata: 1\ndata\ndata:2\n\nid: 3\ndata: cut';
    expect(parsed(encode(text), [])).toEqual([{ id: undefined, event: '', data: '1\n\n2' }]);
  });
});

interface Expected {
  readonly data: string;
  readonly event?: string;
  readonly id?: string;
}

/** The unusual cases of the format, after those of web-platform-tests. */
const FORMAT: readonly [what: string, stream: string, expected: readonly Expected[]][] = [
  [
    'a byte order mark',
    '\ufeffdata:1\n\n\ufeffdata:2\n\ndata:3\n\n',
    [{ data: '1' }, { data: '3' }],
  ],
  ['two byte order marks', '\ufeff\ufeffdata:1\n\ndata:2\n\n', [{ data: '2' }]],
  ['a byte order mark alone', '\ufeff', []],
  [
    'comments',
    'data:1\r:\0\n:\r\ndata:2\n:long\rdata:3\n:data:fail\r:x\ndata:4\n\n',
    [{ data: '1\n2\n3\n4' }],
  ],
  [
    'data without a blank line at the end',
    'retry:1000\ndata:test1\n\nid:test\ndata:test2',
    [{ data: 'test1' }],
  ],
  [
    'data that is empty',
    'data:\n\ndata\ndata\n\ndata:test\n\n',
    [{ data: '' }, { data: '\n' }, { data: 'test' }],
  ],
  ['no data', 'event:a\nid:1\n\n\n\ndata:b\n\n', [{ data: 'b' }]],
  ['an event', 'event:test\ndata:x\n\ndata:y\n\n', [{ event: 'test', data: 'x' }, { data: 'y' }]],
  ['an event that is empty', 'event: \ndata:x\n\n', [{ data: 'x' }]],
  ['an event twice', 'event:a\nevent:b\ndata:x\n\n', [{ event: 'b', data: 'x' }]],
  ['an id', 'id: …\ndata:x\n\n', [{ id: '…', data: 'x' }]],
  ['an id that is empty', 'id:1\nid\ndata:x\n\n', [{ id: '', data: 'x' }]],
  [
    'an id with U+0000',
    'id:a\0b\ndata:x\n\nid:1\nid:\0\ndata:y\n\n',
    [{ data: 'x' }, { id: '1', data: 'y' }],
  ],
  [
    'names that are nearly right',
    'data:\0\ndata:  2\rData:1\ndata\0:2\ndata:1\r\0data:4\nda-ta:3\rdata_5\ndata:3\rdata:\r\n data:32\ndata:4\n\n',
    [{ data: '\0\n 2\n1\n3\n\n4' }],
  ],
  [
    'unknown names',
    'data:test\n data\ndata\nfoobar:xxx\njustsometext\n:a comment\ndata:test\n\n',
    [{ data: 'test\n\ntest' }],
  ],
  ['retry', 'retry:1000\nretry\nretry:1e2\ndata:x\n\n', [{ data: 'x' }]],
  ['one blank is left out', 'data:\ttest\rdata: \ndata:  test\n\n', [{ data: '\ttest\n\n test' }]],
  [
    'every line end',
    'data:test\r\ndata\ndata:test\r\n\rdata:x\r\rdata:y\n\r\n',
    [{ data: 'test\n\ntest' }, { data: 'x' }, { data: 'y' }],
  ],
  ['a return at the very end', 'data:x\r\n\r', [{ data: 'x' }]],
  ['U+0000 in data', 'data:\0\n\n\n\n', [{ data: '\0' }]],
  [
    'other line separators',
    'data:a\u2028b\u0085c\u000bd\n\n',
    [{ data: 'a\u2028b\u0085c\u000bd' }],
  ],
  ['letters of every length', 'data:aé€😀\n\n', [{ data: 'aé€😀' }]],
  ['a colon in the value', 'data::x:y\n\n', [{ data: ':x:y' }]],
];

describe('the format', () => {
  it.each(FORMAT)('[WS-4] %s, wherever it is cut', (_, stream, expected) => {
    const bytes = encode(stream);
    const messages = expected.map(({ id, event = '', data }) => ({ id, event, data }));
    for (let first = 0; first <= bytes.length; first += 1) {
      for (let second = first; second <= bytes.length; second += 1) {
        expect(parsed(bytes, [first, second]), `${first}, ${second}`).toEqual(messages);
      }
    }
    expect(
      parsed(
        bytes,
        Array.from(bytes, (_byte, index) => index),
      ),
    ).toEqual(messages);
  });

  it('[WS-4] bytes that are not UTF-8 stay within their field', () => {
    const bytes = Uint8Array.of(...encode('data:a'), 0xff, 0xe2, 0x82, ...encode('\ndata:b\n\n'));
    for (let cut = 0; cut <= bytes.length; cut += 1) {
      expect(parsed(bytes, [cut])).toMatchObject([{ data: 'a\ufffd\ufffd\nb' }]);
    }
  });
});

describe('a long line', () => {
  function timeOf(size: number): number {
    const bytes = encode(`data:${'x'.repeat(size)}\n\n`);
    return lowestCpuMs(5, () => {
      const parser = new EventStreamParser();
      let messages = 0;
      for (let at = 0; at < bytes.length; at += 64) {
        messages += parser.push(bytes.subarray(at, at + 64)).length;
      }
      expect(messages).toBe(1);
    });
  }

  it('[WS-4] of eight times the length takes about eight times as long, in pieces as small as 64 bytes', () => {
    timeOf(64 * 1_024);
    expect(timeOf(1_040 * 1_024) / timeOf(128 * 1_024)).toBeLessThan(24);
  });
});
