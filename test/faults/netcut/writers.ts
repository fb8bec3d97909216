/** Writers that append while the readers' connections are cut; their own connections to the server are not. */
import { setTimeout as sleep } from 'node:timers/promises';
import { attempt } from '../../support/attempt.ts';
import type { Random } from '../../support/random.ts';

export interface WriterOptions {
  /** The server itself, without the proxy. */
  readonly origin: string;
  readonly token: string;
  readonly session: string;
  readonly random: Random;
}

/** Most texts are short; the long ones make frames that are likely to be cut in the middle. */
const SHORT_CHARS = 400;
const LONG_CHARS = 20_000;
const PAUSE_MS = 25;

/** Writes until stopped; every failure is a finding, because this connection is never cut. */
export function keepWriting(options: WriterOptions): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const done = (async () => {
    const { random } = options;
    for (let count = 1; !stopping.signal.aborted; count += 1) {
      await write(options, count);
      await sleep(random.int(0, PAUSE_MS));
    }
  })();
  done.catch(() => {});
  return {
    async stop() {
      stopping.abort();
      await done;
    },
  };
}

async function write({ origin, token, session, random }: WriterOptions, count: number) {
  const events = Array.from({ length: random.int(1, 5) }, (_, index) => ({
    type: 'assistant_text',
    payload: { text: text(random, `${random.seed} ${count} ${index} `) },
  }));
  const path = `/v1/sessions/${session}/events`;
  const written = await attempt(origin, { method: 'POST', path, token, body: { events } });
  if (written.type !== 'answered' || written.status !== 201) {
    throw new Error(`A writer failed: ${JSON.stringify(written).slice(0, 500)}`);
  }
}

function text(random: Random, start: string): string {
  const length = random.int(0, random.chance(0.05) ? LONG_CHARS : SHORT_CHARS);
  // Random text, so that compression does not shrink a large frame.
  let padding = '';
  while (padding.length < length) padding += random.int(0, 2 ** 31).toString(36);
  return start + padding;
}
