/**
 * Presence in the client library. A bug would look like a person who is gone after a reconnect, a frame for each call,
 * or a subscriber that breaks on what a newer server sends.
 */
import { describe, expect, it } from 'vitest';
import { TIMING } from '../../src/client/backoff.ts';
import { readSessionFrame } from '../../src/client/connection/frames.ts';
import { HttpTransport } from '../../src/client/http-transport.ts';
import type { Presence } from '../../src/protocol/types.ts';
import { snapshot } from '../support/client/connection-cases.ts';
import { fakeWebSockets } from '../support/client/fake-web-socket.ts';
import { HandWorld, settle } from '../support/client/hand-world.ts';

const WELCOME = { type: 'welcome', protocol: 'holdpoint.v1', ...snapshot(0) };

async function start() {
  const world = new HandWorld();
  const { made, Fake } = fakeWebSockets();
  const url = 'https://holdpoint.test';
  const fetch = () => Promise.reject(new Error('No network'));
  const options = { url, token: 'hp_1', fetch, WebSocket: Fake, environment: world };
  const received: Presence[] = [];
  const subscription = new HttpTransport(options).subscribe('demo', {
    presence: (presence) => void received.push(presence),
  });
  await settle();
  const looks = (at = made.length - 1) =>
    (made[at]?.sent ?? []).filter((text) => text !== 'ping').map((text) => JSON.parse(text));
  const welcome = async () => {
    made.at(-1)?.open();
    made.at(-1)?.sendFrame(WELCOME);
    await settle();
  };
  return { world, made, subscription, received, looks, welcome };
}

describe('a person who looks', () => {
  it('[PRES-5] is reported after the welcome, once for each change, and again after a reconnect', async () => {
    const { world, made, subscription, looks, welcome } = await start();
    subscription.look({ interactionId: 'a~1' });
    expect(looks()).toEqual([]);
    await welcome();
    const frame = { type: 'look', id: 'look', looking: true };
    expect(looks()).toEqual([{ ...frame, interactionId: 'a~1' }]);
    subscription.look({ interactionId: 'a~1' });
    subscription.look({});
    expect(looks().slice(1)).toEqual([frame]);
    made.at(-1)?.end();
    await world.pass(2 * TIMING.baseMs);
    expect(made).toHaveLength(2);
    await welcome();
    expect(looks()).toEqual([frame]);
    subscription.look(null);
    expect(looks().at(-1)).toEqual({ ...frame, looking: false });
    made.at(-1)?.end();
    await world.pass(4 * TIMING.baseMs);
    await welcome();
    expect(made).toHaveLength(3);
    expect(looks()).toEqual([]);
  });

  it('[PRES-1] receives who looks, and survives what is no presence', async () => {
    const { made, received, welcome } = await start();
    await welcome();
    const presence = { people: [{ subject: 'ann', verified: true, later: 1 }], more: 0 };
    made.at(-1)?.sendFrame({ type: 'presence', ...presence, added: 'later' });
    expect(received).toMatchObject([presence]);
    for (const broken of [
      { people: 'ann', more: 0 },
      { people: [{}], more: 0 },
      { people: [], more: -1 },
      { people: [{ subject: 'ann', interactionId: 1 }], more: 0 },
    ]) {
      const frame = JSON.stringify({ type: 'presence', ...broken });
      expect(readSessionFrame(frame)).toEqual({ type: 'nonsense' });
    }
  });
});
