/** Waits for what another process does, in its own time. */
import { setTimeout as sleep } from 'node:timers/promises';

const PAUSE_MS = 25;
/** It only ends a test that hangs: a busy machine may stall for fifteen seconds. */
const LIMIT_MS = 60_000;

/** The first value that is there: neither undefined nor false. */
export async function until<Value>(
  look: () => Value | undefined | false | Promise<Value | undefined | false>,
): Promise<Value> {
  const limit = Date.now() + LIMIT_MS;
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    if (Date.now() > limit) throw new Error(`It did not happen within a minute: ${String(look)}`);
    await sleep(PAUSE_MS);
  }
}
