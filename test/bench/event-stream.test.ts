/** The client of a stream. A bug here loses events in silence, and a replay that lost some looks fast. */
import { describe, expect, it } from 'vitest';
import { EventReader } from '../../bench/client/event-stream.ts';

const HEAD = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n';
const EVENTS = [
  'event: welcome\ndata: {"head":2}\n\n',
  'id: 1\nevent: assistant_text\ndata: {"seq":1,"text":"für"}\n\n',
  ': waiting\n\n',
  'id: 2\nevent: assistant_text\ndata: {"seq":2}\n\n',
].join('');

function chunked(text: string, size: number): string {
  const bytes = Buffer.from(text);
  let out = '';
  for (let at = 0; at < bytes.length; at += size) {
    const part = bytes.subarray(at, at + size);
    out += `${part.length.toString(16)}\r\n${part.toString('latin1')}\r\n`;
  }
  return out;
}

describe('EventReader', () => {
  it.each([1, 2, 3, 7, 1_000])('reads every event from chunks and pieces of %i bytes', (size) => {
    const data: string[] = [];
    const reader = new EventReader((json) => data.push(json));
    const bytes = Buffer.from(HEAD + chunked(EVENTS, size), 'latin1');
    for (let at = 0; at < bytes.length; at += size) reader.push(bytes.subarray(at, at + size));
    expect(data).toEqual(['{"head":2}', '{"seq":1,"text":"für"}', '{"seq":2}']);
  });

  it('refuses a response that is no stream', () => {
    const reader = new EventReader(() => undefined);
    const refusal = 'HTTP/1.1 401 Unauthorized\r\nContent-Length: 2\r\n\r\n{}';
    expect(() => reader.push(Buffer.from(refusal))).toThrow('401 Unauthorized');
  });
});
