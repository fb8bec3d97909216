/**
 * An async iterator over pushed values.
 *
 * It is no generator: a generator that waits ignores `return()` until its next value, so a loop left from outside would
 * leak its subscription.
 */
export class AsyncQueue<Value> implements AsyncIterator<Value, undefined> {
  readonly #values: Value[] = [];
  readonly #waiting: {
    resolve(result: IteratorResult<Value, undefined>): void;
    reject(cause: unknown): void;
  }[] = [];
  readonly #undo: (() => void)[] = [];
  #error: { readonly cause: unknown } | undefined;
  #isOver = false;

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Calls back once, when the queue ends. */
  onEnd(undo: () => void): void {
    if (this.#isOver) undo();
    else this.#undo.push(undo);
  }

  push(value: Value): void {
    if (this.#isOver) return;
    const waiting = this.#waiting.shift();
    if (waiting === undefined) this.#values.push(value);
    else waiting.resolve({ done: false, value });
  }

  /** Values pushed before are still yielded. */
  end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    for (const { resolve } of this.#waiting.splice(0)) resolve({ done: true, value: undefined });
    for (const undo of this.#undo.splice(0)) undo();
  }

  endWith(...values: readonly Value[]): void {
    for (const value of values) this.push(value);
    this.end();
  }

  fail(cause: unknown): void {
    if (this.#isOver) return;
    const [first] = this.#waiting.splice(0, 1);
    if (first === undefined) this.#error = { cause };
    else first.reject(cause);
    this.end();
  }

  next(): Promise<IteratorResult<Value, undefined>> {
    const value = this.#values.shift();
    if (value !== undefined) return Promise.resolve({ done: false, value });
    const error = this.#error;
    this.#error = undefined;
    if (error !== undefined) return Promise.reject(error.cause);
    if (this.#isOver) return Promise.resolve({ done: true, value: undefined });
    return new Promise((resolve, reject) => this.#waiting.push({ resolve, reject }));
  }

  return(): Promise<IteratorResult<Value, undefined>> {
    this.#values.length = 0;
    this.#error = undefined;
    this.end();
    return Promise.resolve({ done: true, value: undefined });
  }
}
