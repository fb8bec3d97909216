/**
 * Starts a server again when it ends by itself.
 *
 * workerd ends for reasons that are over a moment later: a flood of connections that took its last file, memory that the
 * system took back. What was acknowledged is on disk, so a start is all it takes. One that ends again and again has a
 * reason that no start removes, and ends what started it with a sentence. Connections that take the last file are such a
 * reason only until they end, and anyone who reaches the port can make them: these ends are not counted.
 */
import type { Exit } from '../workerd.ts';

interface Server {
  readonly exited: Promise<Exit>;
  output(): string;
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
/** Also the pause after each end for want of files: it does not grow, so a long flood delays no later start. */
const FIRST_PAUSE_MS = 250;
/** What workerd prints when it ends because it cannot accept a connection. */
const NO_FILE_LEFT = /Fatal uncaught .*Too many open files/;
const STOP = 'stop' as const;

/** Resolves with the server that runs when it shall stop, or undefined when none does then. */
export async function keepRunning<Started extends Server>(
  first: Started,
  { startAgain, stopAsked, sleep, now, say }: KeepRunningPorts<Started>,
): Promise<Started | undefined> {
  const stop = stopAsked.then((): typeof STOP => STOP);
  let ends: number[] = [];
  let next: Started | Error = first;
  for (;;) {
    let printed: string;
    if (next instanceof Error) printed = next.message;
    else {
      const ended: Exit | typeof STOP = await Promise.race([stop, next.exited]);
      if (ended === STOP) return next;
      printed = next.output();
      say(`workerd ended by itself (${reasonOf(ended)}).`);
    }
    const isOutOfFiles = NO_FILE_LEFT.test(printed);
    if (isOutOfFiles) say('Connections have taken its last file.');
    else ends = [...ends, now()].filter((at) => now() - at < WINDOW_MS);
    if (ends.length >= ENDS_MAX)
      throw new Error(
        `Given up: workerd ended by itself ${ENDS_MAX} times within a minute. What it printed before says why.`,
      );
    const pauseMs = isOutOfFiles ? FIRST_PAUSE_MS : FIRST_PAUSE_MS * 2 ** (ends.length - 1);
    say(`Starting it again in ${pauseMs / 1_000} seconds.`);
    if ((await Promise.race([stop, sleep(pauseMs)])) === STOP) return undefined;
    next = await startAgain().catch((error: unknown) => {
      const failure = error instanceof Error ? error : new Error(String(error));
      say(failure.message);
      return failure;
    });
    if (!(next instanceof Error))
      say('The server runs again; nothing that was acknowledged is lost.');
  }
}

function reasonOf({ code, signal }: Exit): string {
  return signal ?? `exit code ${code}`;
}
