/**
 * The client's own subscriptions over connections that are cut thirty times, at any byte: by sockets
 * and by streams. A bug would look like an event that is missing, comes twice, or comes too early.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { HttpTransport } from '../../src/client/http-transport.ts';
import { TIMING } from '../../src/client/backoff.ts';
import { listen } from '../contract/transport/listening.ts';
import { startCuttingProxy, type Mishap } from '../support/cutting-proxy.ts';
import { ADMIN_KEY, sharedServer } from '../support/http/server.ts';
import { Random } from '../support/random.ts';

const CUTS = 30;
const SUBSCRIBERS = 3;
const TIMEOUT_MS = 180_000;
/** The real delays, shortened; tests with a manual clock prove the delays of seconds. */
const HURRY = { ...TIMING, openMs: 1_000, quietMs: 300, pongMs: 300, baseMs: 5, capMs: 50 };

const server = await sharedServer();

function planner(random: Random): () => readonly Mishap[] {
  return () => {
    const kind = random.weighted({ reset: 45, end: 45, 'half-open': 10 });
    return [{ kind, atByte: random.int(1, Number(random.weighted({ 600: 20, 30_000: 80 }))) }];
  };
}

/** Random, so that compression does not shrink it. */
function noise(random: Random, maxChars: number): string {
  let text = '';
  const length = random.int(0, maxChars);
  while (text.length < length) text += random.int(0, 2 ** 31).toString(36);
  return text;
}

it.each([
  ['sockets', undefined],
  ['streams', false],
] as const)(
  '[TRN-4, WS-1, WS-4] loses, doubles and reorders nothing over %s that are cut',
  async (name, WebSocket) => {
    const random = new Random(`client cuts, ${name}`);
    const proxy = await startCuttingProxy({
      target: { host: '127.0.0.1', port: server.port },
      plan: planner(random),
    });
    onTestFinished(() => proxy.stop());
    const whole = new HttpTransport({ url: server.url, token: ADMIN_KEY });
    const cut = new HttpTransport({
      url: `http://127.0.0.1:${proxy.port}`,
      token: ADMIN_KEY,
      timing: HURRY,
      ...(WebSocket === false && { WebSocket }),
    });
    onTestFinished(() => whole.close());
    onTestFinished(() => cut.close());
    const { id } = await whole.createSession();
    const listeners = Array.from({ length: SUBSCRIBERS }, () => listen(cut, id));
    const total = () => proxy.cuts.reset + proxy.cuts.end + proxy.cuts['half-open'];
    for (let count = 0; total() < CUTS; count += 1) {
      const text = `${count} ${noise(random, 3_000)}`;
      await whole.appendEvents(id, [{ type: 'assistant_text', payload: { text } }]);
      await sleep(random.int(0, 10));
    }
    proxy.heal();
    const { head } = await whole.snapshot(id);
    const truth = listen(whole, id);
    await truth.until(({ events }) => events.length === head);
    for (const listener of listeners) {
      await listener.until(({ subscription }) => subscription.cursor === head);
      expect(listener.seqs()).toEqual(Array.from({ length: head }, (_, index) => index + 1));
      expect(listener.events).toEqual(truth.events);
      expect(listener.calls[0]).toBe('welcome');
    }
    expect(total()).toBeGreaterThanOrEqual(CUTS);
    expect(listeners.some(({ welcomes }) => welcomes.length > 1)).toBe(true);
  },
  TIMEOUT_MS,
);

it(
  '[TRN-5] executes a request once, however often its response is lost',
  async () => {
    const random = new Random('requests');
    // About every second connection is cut in the middle of its first response.
    const proxy = await startCuttingProxy({
      target: { host: '127.0.0.1', port: server.port },
      plan: () => (random.chance(0.4) ? [{ kind: 'reset', atByte: random.int(1, 60) }] : []),
    });
    onTestFinished(() => proxy.stop());
    const whole = new HttpTransport({ url: server.url, token: ADMIN_KEY });
    const cut = new HttpTransport({ url: `http://127.0.0.1:${proxy.port}`, token: ADMIN_KEY });
    onTestFinished(() => whole.close());
    onTestFinished(() => cut.close());
    const { id } = await whole.createSession();
    const settled = await Promise.allSettled(
      Array.from({ length: 40 }, (_, index) =>
        cut.appendEvents(id, [{ type: 'thinking', payload: { text: `thought ${index}` } }]),
      ),
    );
    const failed = settled.filter(({ status }) => status === 'rejected');
    expect(proxy.cuts.reset).toBeGreaterThan(0);
    const log = listen(whole, id);
    const { head } = await whole.snapshot(id);
    await log.until(({ events }) => events.length === head);
    const thoughts = log.events.flatMap((event) =>
      event.type === 'thinking' ? [event.payload.text] : [],
    );
    expect(new Set(thoughts).size).toBe(thoughts.length);
    expect(thoughts.length).toBeGreaterThanOrEqual(40 - failed.length);
  },
  TIMEOUT_MS,
);
