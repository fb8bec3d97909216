/**
 * Watches the answer of one call for silence, and for the caller's abort.
 *
 * A connection that falls silent would hold its run until the lease ends. The watch counts bytes, not events: some gateways
 * send only comments while the model thinks. One timer serves the whole answer, because it has many pieces.
 */
export class AnswerWatch {
  /** Ends the connection: after a silence, when the caller aborts, and when the SDK has waited too long for the beginning. */
  readonly controller = new AbortController();
  readonly #idleMs: number;
  readonly #caller: AbortSignal;
  readonly #abort = () => this.controller.abort();
  #lastAt = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isSilent = false;

  constructor(idleMs: number, caller: AbortSignal) {
    this.#idleMs = idleMs;
    this.#caller = caller;
    caller.addEventListener('abort', this.#abort, { once: true });
  }

  get isSilent(): boolean {
    return this.#isSilent;
  }

  /** The answer has begun, or went on. */
  noteBytes(): void {
    this.#lastAt = Date.now();
    this.#timer ??= setTimeout(() => this.#look(), this.#idleMs);
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#caller.removeEventListener('abort', this.#abort);
  }

  #look(): void {
    const leftMs = this.#lastAt + this.#idleMs - Date.now();
    if (leftMs > 0) {
      this.#timer = setTimeout(() => this.#look(), leftMs);
      return;
    }
    this.#isSilent = true;
    this.#abort();
  }
}
