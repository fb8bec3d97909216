/**
 * Passes log lines on, up to a limit a minute: a client without any credential can make the server log, and could
 * otherwise fill the disk of the journal. Dropped lines are counted, and the count is logged.
 */

/** One window lets a minute through in which every request fails. */
const WINDOW_MS = 60_000;
const WINDOW_CHARS = 512 * 1024;

export class FloodGate {
  readonly #pass: (line: string) => void;
  readonly #now: () => number;
  #since = Number.NEGATIVE_INFINITY;
  #passed = 0;
  #leftOut = 0;

  constructor(pass: (line: string) => void, now: () => number) {
    this.#pass = pass;
    this.#now = now;
  }

  take(line: string): void {
    const now = this.#now();
    if (now - this.#since >= WINDOW_MS) {
      this.sayWhatIsMissing();
      this.#since = now;
      this.#passed = 0;
    }
    this.#passed += line.length + 1;
    if (this.#passed <= WINDOW_CHARS) this.#pass(line);
    else this.#leftOut += 1;
  }

  sayWhatIsMissing(): void {
    if (this.#leftOut === 0) return;
    this.#pass(
      `(${this.#leftOut} lines left out: more than ${WINDOW_CHARS} characters in a minute)`,
    );
    this.#leftOut = 0;
  }
}
