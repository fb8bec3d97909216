/** Keeps a follower connected through server-sent events; `Last-Event-ID` is its cursor. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { SessionEvent } from '../../src/protocol/schema/event.ts';
import { EventStreamParser } from './event-stream-parser.ts';
import type { FollowOptions } from './follow-by-socket.ts';
import type { Follower, Following } from './follower.ts';
import { watchSilence } from './silence-watch.ts';

export function followByStream(follower: Follower, options: FollowOptions): Following {
  const stopping = new AbortController();
  const done = (async () => {
    while (!stopping.signal.aborted) {
      const refusal = await oneConnection(follower, options, stopping.signal).catch(
        () => undefined,
      );
      if (stopping.signal.aborted) return;
      if (refusal !== undefined) return follower.refused(refusal);
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

/** Throws when the connection breaks; returns the text of a refusal that a retry would not change. */
async function oneConnection(
  follower: Follower,
  { origin, token, idleMs }: FollowOptions,
  stopped: AbortSignal,
): Promise<string | undefined> {
  const silence = new AbortController();
  const watch = watchSilence(idleMs, () => silence.abort());
  try {
    const response = await fetch(`${origin}/v1/sessions/${follower.session}/events`, {
      headers: {
        Accept: 'text/event-stream',
        Authorization: `Bearer ${token}`,
        'Last-Event-ID': String(follower.seq),
      },
      signal: AbortSignal.any([stopped, silence.signal]),
    });
    if (response.status >= 400 && response.status < 500) {
      return `${response.status} ${await response.text()}`;
    }
    if (response.status !== 200 || response.body === null) {
      await response.body?.cancel();
      return undefined;
    }
    follower.connects += 1;
    const parser = new EventStreamParser();
    for await (const chunk of response.body) {
      watch.reset();
      for (const message of parser.push(chunk)) {
        if (message.id !== undefined) follower.receive(JSON.parse(message.data) as SessionEvent);
      }
    }
    return undefined;
  } finally {
    watch.stop();
  }
}
