/**
 * Keeps a follower connected through a WebSocket, with the cursor of the last event that it received.
 *
 * A half-open connection is silent, so silence triggers a `ping`; without a `pong` in time the connection is dropped.
 * Frames of a dropped connection are ignored: their events come again on the next connection, and would look like
 * duplicates.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { SessionEvent } from '../../src/protocol/schema/event.ts';
import { PROTOCOL, TOKEN_SUBPROTOCOL } from '../../src/protocol/frames.ts';
import type { Follower, Following } from './follower.ts';
import type { Random } from './random.ts';
import { watchSilence } from './silence-watch.ts';

export interface FollowOptions {
  /** Where to connect, such as http://127.0.0.1:8787. */
  readonly origin: string;
  readonly token: string;
  readonly random: Random;
  /** Silence for so long means that the connection is dead. */
  readonly idleMs: number;
}

/** Close codes after which a new connection with the same cursor and token would be refused again. */
const FINAL = new Set([1008, 1009, 4401, 4403, 4404, 4409]);

export function followBySocket(follower: Follower, options: FollowOptions): Following {
  const stopping = new AbortController();
  const done = (async () => {
    while (!stopping.signal.aborted) {
      const end = await oneConnection(follower, options, stopping.signal);
      if (stopping.signal.aborted) return;
      if (FINAL.has(end.code)) return follower.refused(`close ${end.code} ${end.reason}`);
      await sleep(options.random.int(2, 30));
    }
  })();
  return {
    async stop() {
      stopping.abort();
      await done;
    },
  };
}

function oneConnection(
  follower: Follower,
  { origin, token, idleMs }: FollowOptions,
  stopped: AbortSignal,
): Promise<{ code: number; reason: string }> {
  return new Promise((resolve) => {
    const url = `${origin.replace(/^http/, 'ws')}/v1/sessions/${follower.session}/socket?after=${follower.seq}`;
    const socket = new WebSocket(url, [PROTOCOL, `${TOKEN_SUBPROTOCOL}${token}`]);
    let isOver = false;
    const end = (code: number, reason: string) => {
      if (isOver) return;
      isOver = true;
      watch.stop();
      stopped.removeEventListener('abort', leave);
      socket.close();
      resolve({ code, reason });
    };
    const leave = () => end(1000, 'stopped');
    const ping = () => {
      if (socket.readyState === WebSocket.OPEN) socket.send('ping');
    };
    const watch = watchSilence(idleMs, () => end(1006, 'silence'), ping);
    stopped.addEventListener('abort', leave);
    socket.addEventListener('open', () => {
      if (!isOver) follower.connects += 1;
    });
    socket.addEventListener('message', ({ data }) => {
      if (isOver) return;
      watch.reset();
      if (data === 'pong') return;
      for (const event of eventsIn(String(data))) follower.receive(event);
    });
    socket.addEventListener('close', ({ code, reason }) => end(code, reason));
    socket.addEventListener('error', () => end(1006, 'error'));
  });
}

function eventsIn(text: string): readonly SessionEvent[] {
  const frame = JSON.parse(text) as { type: string; events?: SessionEvent[] };
  return frame.type === 'events' ? (frame.events ?? []) : [];
}
