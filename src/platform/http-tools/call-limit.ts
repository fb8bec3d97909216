/**
 * Ends a call at its timeout or when its turn is interrupted.
 *
 * Every wait of the call goes through `until`: an abort does not always reach a body that is being read. The caller must
 * call `release` at the end, or the timer keeps the session awake.
 */
export class CallLimit {
  readonly #controller = new AbortController();
  readonly #outer: AbortSignal;
  readonly #timer: ReturnType<typeof setTimeout>;
  readonly #ended: Promise<never>;
  #endedBy: 'timeout' | 'abort' | undefined;

  constructor(outer: AbortSignal, timeoutMs: number) {
    const { signal } = this.#controller;
    this.#ended = new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(new Error('The call is over')), { once: true });
    });
    // When the call ends without a wait, the rejection must not be reported as unhandled.
    this.#ended.catch(() => undefined);
    this.#outer = outer;
    this.#outer.addEventListener('abort', this.#onAbort, { once: true });
    this.#timer = setTimeout(() => this.#end('timeout'), timeoutMs);
    if (outer.aborted) this.#end('abort');
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get endedBy(): 'timeout' | 'abort' | undefined {
    return this.#endedBy;
  }

  /** Resolves with the work, or rejects as soon as the call is over. */
  until<Value>(work: Promise<Value>): Promise<Value> {
    return Promise.race([work, this.#ended]);
  }

  release(): void {
    clearTimeout(this.#timer);
    this.#outer.removeEventListener('abort', this.#onAbort);
  }

  readonly #onAbort = () => this.#end('abort');

  #end(by: 'timeout' | 'abort'): void {
    this.#endedBy ??= by;
    this.#controller.abort();
  }
}
