/**
 * The driver against sockets that the test plays, with a manual clock. A bug would look like a subscriber
 * that receives an event twice, a subscriber that receives no more events, or a subscriber whose exception
 * ends the connection.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { Driver } from '../../src/client/connection/driver.ts';
import { HttpTransport } from '../../src/client/http-transport.ts';
import type { HttpTransportOptions } from '../../src/client/connection/subscriptions.ts';
import { TIMING } from '../../src/client/backoff.ts';
import type { ConnectionStatus, Subscriber } from '../../src/client/transport.ts';
import { TokenSource } from '../../src/client/token-source.ts';
import { event, snapshot } from '../support/client/connection-cases.ts';
import { fakeWebSockets } from '../support/client/fake-web-socket.ts';
import { HandWorld, settle } from '../support/client/hand-world.ts';

// Loading takes a time of its own, which is not moved by hand.
beforeAll(() => import('../../src/client/connection/sse-link.ts'));

const noFetch = () => Promise.reject(new Error('No network'));

async function start(
  options: Partial<HttpTransportOptions> = {},
  more: Subscriber = {},
  after = 0,
) {
  const world = new HandWorld();
  const { made, Fake } = fakeWebSockets();
  const errors: unknown[] = [];
  const transport = new HttpTransport({
    url: 'https://holdpoint.test/',
    token: 'hp_1',
    fetch: noFetch,
    WebSocket: Fake,
    onError: (cause) => errors.push(cause),
    environment: world,
    ...options,
  });
  const seqs: number[] = [];
  const texts: string[] = [];
  const welcomes: number[] = [];
  const statuses: ConnectionStatus[] = [];
  const subscription = transport.subscribe(
    'demo',
    {
      welcome: ({ head }) => void welcomes.push(head),
      events: (events) => void seqs.push(...events.map(({ seq }) => seq)),
      delta: ({ text }) => void texts.push(text),
      status: (status) => void statuses.push(status),
      ...more,
    },
    after,
  );
  await settle();
  const last = () => {
    const socket = made.at(-1);
    if (socket === undefined) throw new Error('No socket was made');
    return socket;
  };
  const welcome = async (head: number) => {
    last().open();
    last().sendFrame({ type: 'welcome', protocol: 'holdpoint.v1', ...snapshot(head) });
    await settle();
  };
  const events = (...list: number[]) =>
    last().sendFrame({ type: 'events', events: list.map(event) });
  const types = () => statuses.map(({ type }) => type);
  const heard = { seqs, texts, welcomes, statuses, errors };
  return { world, made, transport, subscription, last, welcome, events, types, ...heard };
}

describe('a subscription over a WebSocket', () => {
  it('[TRN-4] connects with its token, and receives the welcome, the log and then new events', async () => {
    const { last, welcome, events, seqs, welcomes, types, subscription } = await start();
    expect(last().url).toBe('wss://holdpoint.test/v1/sessions/demo/socket?after=0');
    expect(last().protocols).toEqual(['holdpoint.v1', 'holdpoint.token.hp_1']);
    await welcome(2);
    events(1, 2);
    events(3);
    expect(welcomes).toEqual([2]);
    expect(seqs).toEqual([1, 2, 3]);
    expect(types()).toEqual(['connecting', 'replaying', 'live']);
    expect(subscription.cursor).toBe(3);
  });

  it('[TRN-4] continues after the last delivered event, without a gap or a duplicate', async () => {
    const { world, made, last, welcome, events, seqs } = await start();
    await welcome(2);
    events(1, 2);
    last().end();
    await world.pass(2 * TIMING.baseMs);
    expect(made).toHaveLength(2);
    expect(last().after).toBe(2);
    await welcome(4);
    events(2, 3);
    // The driver ignores frames of a dropped connection.
    made[0]?.sendFrame({ type: 'events', events: [event(4)] });
    events(4);
    expect(seqs).toEqual([1, 2, 3, 4]);
  });

  it('[TRN-4, WS-7] begins with the last events, and from then on continues as any other', async () => {
    const { world, last, welcome, events, seqs, subscription } = await start({}, {}, -2);
    expect(last().url).toBe('wss://holdpoint.test/v1/sessions/demo/socket?last=2');
    last().end();
    await world.pass(2 * TIMING.baseMs);
    expect(last().url).toContain('?last=2');
    await welcome(50);
    expect(subscription.cursor).toBe(48);
    events(49);
    last().end();
    await world.pass(2 * TIMING.baseMs);
    expect(last().after).toBe(49);
    await welcome(51);
    events(50, 51);
    expect(seqs).toEqual([49, 50, 51]);
  });

  it('[TRN-4, WS-7] begins a shorter log with its first event', async () => {
    const { welcome, events, seqs } = await start({}, {}, -200);
    await welcome(2);
    events(1, 2);
    expect(seqs).toEqual([1, 2]);
  });

  it('[TRN-4] never delivers past a gap, but reconnects to fill the gap', async () => {
    const { world, last, welcome, events, seqs, made } = await start();
    await welcome(1);
    events(1);
    events(3);
    expect(last().isClosed).toBe(true);
    await world.pass(2 * TIMING.baseMs);
    expect(made).toHaveLength(2);
    await welcome(3);
    events(2, 3);
    expect(seqs).toEqual([1, 2, 3]);
  });

  it('[WS-3] sends a frame once it is open, so that a close arrives at once', async () => {
    const { last } = await start();
    last().open();
    expect(last().sent).toEqual(['ping']);
  });

  it('[TRN-4] pings a silent connection, and replaces a connection that does not answer', async () => {
    const { world, made, last, welcome } = await start();
    await welcome(0);
    await world.pass(TIMING.quietMs);
    expect(last().sent).toEqual(['ping', 'ping']);
    last().sendFrame('pong');
    await world.pass(TIMING.quietMs);
    expect(last().sent).toEqual(['ping', 'ping', 'ping']);
    await world.pass(TIMING.pongMs + TIMING.capMs);
    expect(made.length).toBeGreaterThan(1);
    expect(made[0]?.isClosed).toBe(true);
  });

  it('[TRN-4] keeps a connection on a hidden page, and replaces a lost connection when the page is visible', async () => {
    const { world, made, last, welcome, types } = await start();
    await welcome(0);
    await world.turn('hidden');
    expect(last().isClosed).toBe(false);
    last().end();
    await world.pass(3_600_000);
    expect(made).toHaveLength(1);
    expect(types().at(-1)).toBe('paused');
    await world.turn('visible');
    expect(made).toHaveLength(2);
  });

  it('[TRN-4] waits for the network while the device reports offline', async () => {
    const { world, made, last } = await start();
    await world.turn('offline');
    last().end();
    await world.pass(3_600_000);
    expect(made).toHaveLength(1);
    await world.turn('online');
    expect(made).toHaveLength(2);
  });

  it('[TRN-7] requests the token once more, then waits for a person, then resumes at its cursor', async () => {
    let current = 'hp_old';
    let asked = 0;
    const token = () => {
      asked += 1;
      return Promise.resolve(current);
    };
    const { world, made, last, welcome, events, subscription, seqs, statuses } = await start({
      token,
    });
    await welcome(1);
    events(1);
    last().end(4401);
    await settle();
    expect(asked).toBe(2);
    expect(subscription.status).toEqual({ type: 'paused', reason: 'unauthenticated' });
    await world.pass(3_600_000);
    expect([made.length, asked]).toEqual([1, 2]);
    current = 'hp_new';
    subscription.reconnect();
    await settle();
    expect(last().protocols).toContain('holdpoint.token.hp_new');
    expect(last().after).toBe(1);
    await welcome(2);
    events(2);
    expect(seqs).toEqual([1, 2]);
    expect(statuses.at(-1)).toEqual({ type: 'live' });
  });

  it('[TRN-7] pauses when no person is signed in, and waits when the token request fails', async () => {
    const nobody = await start({ token: () => '' });
    expect(nobody.subscription.status).toMatchObject({ reason: 'unauthenticated' });
    expect(nobody.made).toHaveLength(0);
    let isBroken = true;
    const broken = await start({
      token: () => (isBroken ? Promise.reject(new Error('offline')) : 'hp_2'),
    });
    expect(broken.subscription.status.type).toBe('waiting');
    isBroken = false;
    await broken.world.pass(2 * TIMING.baseMs);
    expect(broken.last().protocols).toContain('holdpoint.token.hp_2');
  });

  it('continues when its subscriber throws, and reports the error', async () => {
    const broken = new Error('A mistake of mine');
    const seen: number[] = [];
    const { welcome, events, errors, subscription } = await start(
      {},
      {
        welcome: () => {
          throw broken;
        },
        events: (list) => {
          seen.push(...list.map(({ seq }) => seq));
          throw broken;
        },
      },
    );
    await welcome(1);
    events(1);
    events(2);
    expect(seen).toEqual([1, 2]);
    expect(errors).toEqual([broken, broken, broken]);
    expect(subscription.status.type).toBe('live');
  });

  it('delivers events of unknown types, and ignores unknown frames', async () => {
    const { welcome, last, seqs, subscription } = await start();
    await welcome(0);
    last().sendFrame({ type: 'weather', sun: true });
    last().sendFrame({
      type: 'events',
      events: [{ seq: 1, at: 1, type: 'novelty', payload: {}, x: 1 }],
    });
    expect(seqs).toEqual([1]);
    expect(subscription.status.type).toBe('live');
  });

  it('[LOG-5] delivers deltas unchanged', async () => {
    const { welcome, last, texts } = await start();
    await welcome(0);
    last().sendFrame({ type: 'delta', responseId: 'r1', text: 'Hel' });
    expect(texts).toEqual(['Hel']);
  });

  it('[TRN-4] opens one connection, though the token arrives after the timeout', async () => {
    const { promise, resolve } = Promise.withResolvers<string>();
    const { world, made } = await start({ token: () => promise });
    await world.pass(TIMING.openMs + 2 * TIMING.baseMs);
    expect(made).toHaveLength(0);
    resolve('hp_late');
    await settle();
    expect(made).toHaveLength(1);
  });

  it('[TRN-4] counts the comments of a stream as a sign of life', async () => {
    let asked = 0;
    const { promise, resolve } = Promise.withResolvers<(text: string) => void>();
    const body = new ReadableStream({
      start: (stream) => resolve((text) => stream.enqueue(new TextEncoder().encode(text))),
    });
    const fetch: typeof globalThis.fetch = () => {
      asked += 1;
      return Promise.resolve(
        new Response(body, { headers: { 'Content-Type': 'text/event-stream' } }),
      );
    };
    const { world, subscription } = await start({ fetch, WebSocket: false });
    const say = await promise;
    const welcome = JSON.stringify({ type: 'welcome', protocol: 'holdpoint.v1', ...snapshot(0) });
    say(`event: welcome\ndata: ${welcome}\n\n`);
    for (let minute = 0; minute < 4; minute += 1) {
      for (let count = 0; count < 4; count += 1) {
        await world.pass(15_000);
        say(': waiting\n\n');
        await settle();
      }
    }
    expect([subscription.status.type, asked]).toEqual(['live', 1]);
    await world.pass(TIMING.quietMs + TIMING.pongMs);
    expect(subscription.status.type).not.toBe('live');
  });

  it('may be closed at any moment, and leaves no timer and no connection behind', async () => {
    const { world, last, welcome, events, subscription, types, seqs, made } = await start();
    await welcome(1);
    subscription.close();
    events(1);
    await world.pass(3_600_000);
    expect(seqs).toEqual([]);
    expect(last().isClosed).toBe(true);
    expect(types().at(-1)).toBe('closed');
    expect([world.timers, world.watchers, made.length]).toEqual([0, 0, 1]);
    const early = await start({ token: () => new Promise(() => undefined) });
    early.subscription.close();
    await early.world.pass(3_600_000);
    expect([early.world.timers, early.world.watchers, early.made.length]).toEqual([0, 0, 0]);
  });

  it('may be closed by its own subscriber during a delivery', async () => {
    const { welcome, events, subscription, types, seqs } = await start();
    let heard = 0;
    const inner = await start(
      {},
      {
        events: () => {
          heard += 1;
          inner.subscription.close();
        },
      },
    );
    await inner.welcome(2);
    inner.events(1);
    inner.events(2);
    expect([heard, inner.subscription.status.type]).toEqual([1, 'closed']);
    await welcome(1);
    events(1);
    expect([seqs, types().at(-1), subscription.cursor]).toEqual([[1], 'live', 1]);
  });

  it('[TRN-4] tries again when the stream reader fails to load', async () => {
    const world = new HandWorld();
    let loads = 0;
    const stream = () => {
      loads += 1;
      return Promise.reject(new Error('It is gone'));
    };
    const tokens = new TokenSource('hp_1');
    const about = { sessionId: 'demo', after: 0, subscriber: {}, onError: () => undefined };
    const driver = new Driver({ ...about, tokens, environment: world, stream });
    await settle();
    expect(driver.status.type).toBe('waiting');
    await world.pass(TIMING.capMs);
    expect(loads).toBeGreaterThan(1);
    driver.close();
  });

  it('[TRN-4] falls back to a stream when the socket cannot be opened', async () => {
    const asked: string[] = [];
    const fetch: typeof globalThis.fetch = (input, init) => {
      asked.push(`${input as string} ${new Headers(init?.headers).get('Last-Event-ID')}`);
      const welcome = JSON.stringify({ type: 'welcome', protocol: 'holdpoint.v1', ...snapshot(1) });
      const one = JSON.stringify(event(1));
      const text = `event: welcome\ndata: ${welcome}\n\nid: 1\nevent: x\ndata: ${one}\n\n`;
      const body = new ReadableStream({
        start: (controller) => controller.enqueue(new TextEncoder().encode(text)),
      });
      return Promise.resolve(
        new Response(body, { headers: { 'Content-Type': 'text/event-stream' } }),
      );
    };
    const { world, made, last, seqs, subscription } = await start({ fetch });
    last().end();
    await world.pass(2 * TIMING.baseMs);
    last().end();
    await world.pass(2 * TIMING.baseMs);
    expect(made).toHaveLength(2);
    expect(asked).toEqual(['https://holdpoint.test/v1/sessions/demo/events 0']);
    expect([seqs, subscription.status.type]).toEqual([[1], 'live']);
    await world.pass(TIMING.quietMs + TIMING.pongMs + TIMING.capMs);
    expect(made.length).toBeGreaterThan(2);
  });
});
