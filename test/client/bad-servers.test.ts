/**
 * The far end may be a Holdpoint server of another version, or no Holdpoint server at all. A bug would look
 * like a page that breaks, a client that hammers, or a client that waits without a reason on the screen.
 */
import { describe, expect, it, onTestFinished } from 'vitest';
import { HttpTransport } from '../../src/client/http-transport.ts';
import type { HttpTransportOptions } from '../../src/client/connection/subscriptions.ts';
import { TIMING } from '../../src/client/backoff.ts';
import { listen } from '../contract/transport/listening.ts';
import { expectRefused } from '../contract/transport/questions.ts';
import { startBadServer, type RawSocket } from '../support/client/bad-server.ts';
import { event, snapshot } from '../support/client/connection-cases.ts';

const HURRY = { ...TIMING, openMs: 5_000, quietMs: 200, pongMs: 100, baseMs: 1, capMs: 5 };

function transportTo(url: string, options: Partial<HttpTransportOptions> = {}): HttpTransport {
  const transport = new HttpTransport({ url, token: 'hp_1', timing: HURRY, ...options });
  onTestFinished(() => transport.close());
  return transport;
}

const WELCOME = JSON.stringify({ type: 'welcome', protocol: 'holdpoint.v1', ...snapshot(2) });
const eventsFrame = (...seqs: number[]) =>
  JSON.stringify({ type: 'events', events: seqs.map(event) });
const HTML = '<!doctype html><title>Sign in</title>';

describe('a subscription to', () => {
  it.each<[string, (talk: RawSocket) => void]>([
    ['text that is no JSON', (talk) => talk.text('hello')],
    ['JSON that is no frame', (talk) => talk.text('[1,2,3]')],
    [
      'a welcome without a session',
      (talk) => talk.text('{"type":"welcome","protocol":"holdpoint.v1"}'),
    ],
    ['events before a welcome', (talk) => talk.text(eventsFrame(1))],
  ])('[TRN-4] %s is given up after a few tries, with a reason', async (_what, socket) => {
    const server = await startBadServer({ socket });
    const heard = listen(transportTo(server.url), 'demo');
    await heard.until(({ subscription }) => subscription.status.type === 'closed');
    expect(heard.subscription.status).toMatchObject({ error: { code: 'not_holdpoint' } });
    expect(heard.calls).toEqual([]);
    expect(server.sockets).toBeGreaterThan(1);
    expect(server.sockets).toBeLessThan(10);
  });

  it('[TRN-4] a server that sends a broken frame is resumed after the last good frame', async () => {
    const server = await startBadServer({
      socket(talk, connection) {
        talk.text(WELCOME);
        if (connection > 1) return talk.text(eventsFrame(1, 2, 3));
        talk.text(eventsFrame(1));
        talk.text('{"type":"events","events":[{"seq":"2"}]}');
      },
    });
    const heard = listen(transportTo(server.url), 'demo');
    await heard.until(({ subscription }) => subscription.cursor === 3);
    expect(heard.seqs()).toEqual([1, 2, 3]);
  });

  it('[TRN-4] a server that breaks the rules of WebSockets is resumed as well', async () => {
    const server = await startBadServer({
      socket(talk, connection) {
        talk.text(WELCOME);
        talk.text(eventsFrame(...[1, 2, 3].slice(0, connection)));
        // A reserved opcode.
        if (connection < 3) talk.bytes(new Uint8Array([0x8b, 0x00]));
      },
    });
    const heard = listen(transportTo(server.url), 'demo');
    await heard.until(({ subscription }) => subscription.cursor === 3);
    expect(heard.seqs()).toEqual([1, 2, 3]);
  });

  it('[TRN-4] a server with a newer protocol ends with advice', async () => {
    const welcome = JSON.stringify({ type: 'welcome', protocol: 'holdpoint.v2', room: {} });
    const server = await startBadServer({ socket: (talk) => talk.text(welcome) });
    const heard = listen(transportTo(server.url), 'demo');
    await heard.until(({ subscription }) => subscription.status.type === 'closed');
    const { status } = heard.subscription;
    expect(status).toMatchObject({ error: { code: 'protocol_mismatch' } });
    expect(status.type === 'closed' && status.error?.message).toMatch(/holdpoint\.v2.*[Rr]eload/);
    expect(server.sockets).toBe(1);
  });

  it('[TRN-4] a server that accepts and sends nothing is tried again', async () => {
    const server = await startBadServer({
      socket(talk, connection) {
        if (connection > 1) talk.text(WELCOME);
      },
    });
    const heard = listen(transportTo(server.url, { timing: { ...HURRY, openMs: 100 } }), 'demo');
    await heard.until(({ welcomes }) => welcomes.length > 0);
    expect(server.sockets).toBeGreaterThanOrEqual(2);
  });

  it('[TRN-4] a server that goes silent gets a new connection', async () => {
    const server = await startBadServer({ socket: (talk) => talk.text(WELCOME) });
    const heard = listen(transportTo(server.url), 'demo');
    await heard.until(({ welcomes }) => welcomes.length > 2);
  });

  it('[TRN-4] keeps events of unknown types', async () => {
    const novelty = { seq: 1, at: 1, type: 'novelty', payload: { any: ['thing'] } };
    const frame = JSON.stringify({ type: 'events', events: [novelty] });
    const server = await startBadServer({
      socket(talk) {
        talk.text(WELCOME);
        talk.text('{"type":"weather","sun":true}');
        talk.text(frame);
      },
    });
    const heard = listen(transportTo(server.url), 'demo');
    await heard.until(({ events }) => events.length === 1);
    expect(heard.events).toEqual([novelty]);
  });

  it('[TRN-4] a page in HTML is given up, over sockets and over streams', async () => {
    const server = await startBadServer({
      request: (_asked, response) =>
        void response.writeHead(200, { 'Content-Type': 'text/html' }).end(HTML),
    });
    for (const options of [{}, { WebSocket: false } as const]) {
      const heard = listen(transportTo(server.url, options), 'demo');
      await heard.until(({ subscription }) => subscription.status.type === 'closed');
      expect(heard.subscription.status).toMatchObject({ error: { code: 'not_holdpoint' } });
    }
  });

  it('[TRN-4] a proxy that lets no socket pass is followed by a stream', async () => {
    const server = await startBadServer({
      request(asked, response) {
        if (asked.headers.accept !== 'text/event-stream') return void response.writeHead(400).end();
        response.writeHead(200, { 'Content-Type': 'text/event-stream; charset=utf-8' });
        response.write(`: hello\r\n\r\nevent: welcome\r\ndata: ${WELCOME}\r\n\r\n`);
        const lines = [1, 2].map(
          (seq) => `id: ${seq}\r\ndata: ${JSON.stringify(event(seq))}\r\n\r\n`,
        );
        const bytes = Buffer.from(lines.join(''));
        response.write(bytes.subarray(0, 41));
        setImmediate(() => response.write(bytes.subarray(41)));
      },
    });
    const heard = listen(transportTo(server.url), 'demo');
    await heard.until(({ subscription }) => subscription.cursor === 2);
    expect(heard.subscription.status.type).toBe('live');
  });

  it('[TRN-4] a gateway without a server is tried until a server is there', async () => {
    let asked = 0;
    const server = await startBadServer({
      request(_request, response) {
        asked += 1;
        if (asked < 8)
          return void response.writeHead(502, { 'Content-Type': 'text/html' }).end(HTML);
        response.writeHead(200, { 'Content-Type': 'text/event-stream' });
        response.write(`event: welcome\ndata: ${WELCOME}\n\n`);
      },
    });
    const heard = listen(transportTo(server.url, { WebSocket: false }), 'demo');
    await heard.until(({ welcomes }) => welcomes.length > 0);
    expect(asked).toBeGreaterThanOrEqual(8);
  });
});

describe('a request to', () => {
  it.each<[string, number, string]>([
    ['a page in HTML', 200, HTML],
    ['a page that is not there', 404, HTML],
    ['JSON of somebody else', 200, '{"hello":"world"}'],
    ['an error of somebody else', 400, '{"error":"bad"}'],
    ['a list', 200, '[]'],
  ])('%s is no Holdpoint server', async (_what, status, body) => {
    const server = await startBadServer({
      request: (_asked, response) => void response.writeHead(status).end(body),
    });
    const error = await expectRefused(transportTo(server.url).snapshot('demo'), 'not_holdpoint');
    expect(error).toMatchObject({ retry: 'never', origin: 'client' });
    expect(error.message).toMatch(/url/);
  });
});
