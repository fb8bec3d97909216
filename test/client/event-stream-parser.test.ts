/** Server-sent events, cut anywhere. A bug would look like a letter lost where two packets met. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EventStreamParser } from '../../src/client/event-stream-parser.ts';

function parsed(bytes: Uint8Array, cuts: readonly number[]) {
  const parser = new EventStreamParser();
  const at = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).toSorted((a, b) => a - b)];
  return at.flatMap((from, index) =>
    parser.push(bytes.subarray(from, at[index + 1] ?? bytes.length)),
  );
}
const encode = (text: string) => new TextEncoder().encode(text);

describe('a stream of server-sent events', () => {
  it('[WS-4] is the same wherever it is cut, with any line ends', () => {
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
        // What ends with a lone return may go on; a comment after it says that it does not.
        expect(parsed(encode(`${text}:${eol}:`), cuts)).toEqual(
          messages.map(({ id, event, data }) => ({ id: String(id), event, data })),
        );
      }),
    );
  });

  it('[WS-4] joins lines of data, forgets what has none and what was not finished', () => {
    const text = ': hello\n\nevent: x\n\ndata: 1\ndata\ndata:2\n\nid: 3\ndata: cut';
    expect(parsed(encode(text), [])).toEqual([{ id: undefined, event: '', data: '1\n\n2' }]);
  });
});
