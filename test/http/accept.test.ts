/**
 * The media type and encoding that a client prefers, by its weights.
 *
 * A bug here looks like an endless stream for a program that refused streams, or a line of JSON for a person at a
 * browser.
 */
import { expect, it } from 'vitest';
import { acceptsGzip, wantsPage, wantsStream } from '../../src/http/accept.ts';

const accepting = (accept: string | undefined, name = 'Accept') =>
  new Request('https://hold.example/', { headers: accept === undefined ? {} : { [name]: accept } });

const CHROME =
  'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8';

it.each<[string | undefined, boolean]>([
  [undefined, false],
  ['', false],
  ['*/*', false],
  ['text/*', false],
  ['application/json', false],
  ['text/event-stream', true],
  ['Text/Event-Stream', true],
  ['text/event-stream; charset=utf-8', true],
  ['application/json, text/event-stream', true],
  ['text/event-stream, */*', true],
  ['text/event-stream;q=0', false],
  ['text/event-stream;q=0, application/json', false],
  ['text/event-stream; q=0.0, */*', false],
  ['application/json, text/event-stream;q=0.5', false],
  ['text/event-stream;q=0.5, application/json;q=0.4', true],
  ['text/event-stream;q=0.5, */*;q=0.9', false],
  ['text/event-stream;q=0.9, application/json;q=0.1, */*', true],
  ['text/event-stream;q=high', true],
  ['application/x-text/event-stream', false],
  ['text/event-streams', false],
])('[WS-4] %j asks for a stream: %s', (accept, wanted) => {
  expect(wantsStream(accepting(accept))).toBe(wanted);
});

it.each<[string | undefined, boolean]>([
  [CHROME, true],
  ['text/html', true],
  [undefined, false],
  ['*/*', false],
  ['application/json, text/html;q=0.9', false],
  ['text/html;q=0', false],
])('%j asks for a page: %s', (accept, wanted) => {
  expect(wantsPage(accepting(accept))).toBe(wanted);
});

it.each<[string | undefined, boolean]>([
  ['gzip', true],
  ['br, GZIP;q=0.5', true],
  ['*', true],
  ['gzip;q=0, *', false],
  ['*;q=0, gzip', true],
  ['identity', false],
  ['', false],
  [undefined, false],
])('%j accepts gzip: %s', (accept, accepted) => {
  expect(acceptsGzip(accepting(accept, 'Accept-Encoding'))).toBe(accepted);
});
