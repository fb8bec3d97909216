/**
 * Starts a server again when it ends by itself.
 *
 * workerd ends for reasons that are over a moment later: a flood of connections that took its last file, memory that the
 * system took back. What was acknowledged is on disk, so a start is all it takes. One that ends again and again has a
 * reason that no start removes, and ends what started it with a sentence.
 */
import type { Exit } from '../workerd.ts';

interface Server {
  readonly exited: Promise<Exit>;
}

export interface KeepRunningPorts<Started extends Server> {
  readonly startAgain: () => Promise<Started>;
  /** Settles when the server shall stop. */
  readonly stopAsked: Promise<unknown>;
  readonly sleep: (ms: number) => Promise<unknown>;
  readonly now: () => number;
  readonly say: (line: string) => void;
}

const ENDS_MAX = 5;
const WINDOW_MS = 60_000;
const FIRST_PAUSE_MS = 250;
const STOP = 'stop' as const;

/** Resolves with the server that runs when it shall stop, or undefined when none does then. */
export async function keepRunning<Started extends Server>(
  first: Started,
  { startAgain, stopAsked, sleep, now, say }: KeepRunningPorts<Started>,
): Promise<Started | undefined> {
  const stop = stopAsked.then((): typeof STOP => STOP);
  let ends: number[] = [];
  let running: Started | undefined = first;
  for (;;) {
    const ended: Exit | typeof STOP | undefined =
      running === undefined ? undefined : await Promise.race([stop, running.exited]);
    if (ended === STOP) return running;
    if (ended !== undefined) say(`workerd ended by itself (${reasonOf(ended)}).`);
    ends = [...ends, now()].filter((at) => now() - at < WINDOW_MS);
    if (ends.length >= ENDS_MAX)
      throw new Error(
        `Given up: workerd ended by itself ${ENDS_MAX} times within a minute. What it printed before says why.`,
      );
    const pauseMs = FIRST_PAUSE_MS * 2 ** (ends.length - 1);
    say(`Starting it again in ${pauseMs / 1_000} seconds.`);
    if ((await Promise.race([stop, sleep(pauseMs)])) === STOP) return undefined;
    running = await startAgain().catch((error: unknown) => {
      say(error instanceof Error ? error.message : String(error));
      return undefined;
    });
    if (running !== undefined) say('The server runs again; nothing that was acknowledged is lost.');
  }
}

function reasonOf({ code, signal }: Exit): string {
  return signal ?? `exit code ${code}`;
}
