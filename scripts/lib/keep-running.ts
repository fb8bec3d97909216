/**
 * Starts a server again when it ends by itself.
 *
 * workerd ends for reasons that are over a moment later: a flood of connections that took its last file, memory that the
 * system took back. What was acknowledged is on disk, so a start is all it takes. One that ends again and again has a
 * reason that no start removes, and ends what started it with a sentence. Connections that take the last file are such a
 * reason only until they end, and anyone who reaches the port can make them: these ends are not counted, and the first start
 * is tried again for them too.
 */
import type { Exit } from '../workerd.ts';
import { NotYet } from './local-credentials.ts';

interface Server {
  readonly exited: Promise<Exit>;
  output(): string;
}

export interface KeepRunningPorts<Started extends Server> {
  readonly start: () => Promise<Started>;
  /** Is called until it resolves, with the first server, whose address each later one has. */
  readonly greet: (first: Started) => Promise<void>;
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
export async function keepRunning<Started extends Server>({
  start,
  greet,
  stopAsked,
  sleep,
  now,
  say,
}: KeepRunningPorts<Started>): Promise<Started | undefined> {
  const stop = stopAsked.then((): typeof STOP => STOP);
  let greeting: Promise<never> | undefined;
  let ends: number[] = [];
  for (let isFirst = true; ; isFirst = false) {
    const next = await start().catch((error: unknown) => {
      const failure = error instanceof Error ? error : new Error(String(error));
      // A wrong setting, port or folder is as wrong a moment later.
      if (isFirst && !NO_FILE_LEFT.test(failure.message)) throw failure;
      say(failure.message);
      return failure;
    });
    let printed: string;
    if (next instanceof Error) printed = next.message;
    else {
      if (!isFirst) say('The server runs again; nothing that was acknowledged is lost.');
      greeting ??= untilGreeted(() => greet(next), sleep, say);
      const ended: Exit | typeof STOP = await Promise.race([stop, next.exited, greeting]);
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
  }
}

/** Never resolves: a race with it ends only when a greeting fails for a reason that stays. */
function untilGreeted(
  greet: () => Promise<void>,
  sleep: (ms: number) => Promise<unknown>,
  say: (line: string) => void,
): Promise<never> {
  const failed = (async (): Promise<never> => {
    for (let said: string | undefined; ; await sleep(FIRST_PAUSE_MS)) {
      try {
        await greet();
        return await new Promise<never>(() => {});
      } catch (error) {
        if (!(error instanceof NotYet)) throw error;
        if (error.message !== said) say(`${error.message} It is asked again until it answers.`);
        said = error.message;
      }
    }
  })();
  // It may fail in a pause, between two servers; the next race reports it.
  failed.catch(() => {});
  return failed;
}

function reasonOf({ code, signal }: Exit): string {
  return signal ?? `exit code ${code}`;
}
