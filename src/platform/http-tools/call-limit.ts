/**
 * Ends a call when its time is over or its turn is interrupted, whichever comes first.
 *
 * Whatever the call waits for, it waits here: an abort does not always reach a body that is being read. `release` has
 * to be called at the end, or a timer would keep the session awake long after.
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
    // Nobody may be waiting when it ends.
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

  /** What the work gives, or a rejection as soon as the call is over. */
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
