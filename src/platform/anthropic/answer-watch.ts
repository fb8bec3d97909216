/**
 * Watches one call for silence, before its answer begins and in the middle of it, and for the caller's abort.
 *
 * A connection that falls silent would hold its run until the lease ends. The watch counts bytes, not events: some gateways
 * send only comments while the model thinks. One timer serves the whole call, because an answer has many pieces.
 */
export interface SilenceLimits {
  /** Until the answer begins. */
  readonly beginMs: number;
  /** Between two pieces of it. */
  readonly idleMs: number;
}

export class AnswerWatch {
  readonly #controller = new AbortController();
  readonly #limits: SilenceLimits;
  readonly #caller: AbortSignal;
  readonly #abort = () => this.#controller.abort();
  #limitMs: number;
  #lastAt = Date.now();
  #timer: ReturnType<typeof setTimeout>;
  #isSilent = false;

  constructor(limits: SilenceLimits, caller: AbortSignal) {
    this.#limits = limits;
    this.#caller = caller;
    this.#limitMs = limits.beginMs;
    caller.addEventListener('abort', this.#abort, { once: true });
    this.#timer = this.#lookIn(limits.beginMs);
  }

  /** Ends the connection: after a silence, and when the caller aborts. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get isSilent(): boolean {
    return this.#isSilent;
  }

  /** The answer has begun, or went on. */
  noteBytes(): void {
    this.#lastAt = Date.now();
    this.#limitMs = this.#limits.idleMs;
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#caller.removeEventListener('abort', this.#abort);
  }

  /** Never later than the shorter limit, which may apply by then. */
  #lookIn(ms: number): ReturnType<typeof setTimeout> {
    return setTimeout(() => this.#look(), Math.min(ms, this.#limits.idleMs));
  }

  #look(): void {
    const leftMs = this.#lastAt + this.#limitMs - Date.now();
    if (leftMs > 0) {
      this.#timer = this.#lookIn(leftMs);
      return;
    }
    this.#isSilent = true;
    this.#abort();
  }
}
