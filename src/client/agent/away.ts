/**
 * Remembers that a server was away. An agent often calls one tool after the other: without the memory each of its calls
 * would wait as long as the first one for a server that nobody has started.
 */

/** Long enough for a server that answers, and short beside the wait of the first call. */
const SHORT_TRY_MS = 2_000;
/** A server that answers, but slower than that, gets the whole time again. */
const REMEMBERED_MS = 60_000;

export class Away {
  #until = 0;
  readonly #now: () => number;

  constructor(now: () => number = () => Date.now()) {
    this.#now = now;
  }

  /** How long a call may try: less while the server is known to be away. */
  limit(giveUpAfterMs: number): number {
    return this.#now() < this.#until ? Math.min(giveUpAfterMs, SHORT_TRY_MS) : giveUpAfterMs;
  }

  /** A call gave up. Short tries do not prolong the memory. */
  remember(): void {
    const now = this.#now();
    if (now >= this.#until) this.#until = now + REMEMBERED_MS;
  }

  /** The server has answered. */
  forget(): void {
    this.#until = 0;
  }
}

const servers = new Map<string, Away>();

/** One memory for all clients of a process that use the same server. */
export function awayAt(address: string): Away {
  const known = servers.get(address) ?? new Away();
  servers.set(address, known);
  return known;
}
