/** Timers that a test runs by hand, without a clock or by the time of its own. */
export class HandQueue {
  readonly #now: () => number;
  #waiting: { readonly ms: number; readonly at: number; readonly work: () => void }[] = [];

  constructor(now: () => number = () => 0) {
    this.#now = now;
  }

  get size(): number {
    return this.#waiting.length;
  }

  /** The result takes the task back. */
  add(ms: number, work: () => void): () => void {
    const task = { ms, at: this.#now() + ms, work };
    this.#waiting.push(task);
    return () => {
      this.#waiting = this.#waiting.filter((one) => one !== task);
    };
  }

  /** Runs the waiting tasks, or only those with at most this delay; tasks added by them wait for the next call. */
  run(ms = Number.POSITIVE_INFINITY): void {
    this.#run((task) => task.ms <= ms);
  }

  /** Runs the tasks whose time is over, in the order in which they were added. */
  runUntil(now: number): void {
    this.#run((task) => task.at <= now);
  }

  #run(isDue: (task: { readonly ms: number; readonly at: number }) => boolean): void {
    const due = this.#waiting.filter(isDue);
    this.#waiting = this.#waiting.filter((task) => !isDue(task));
    for (const { work } of due) work();
  }

  clear(): void {
    this.#waiting = [];
  }
}

/** Waits until all pending microtasks have run. */
export async function microtasks(): Promise<void> {
  for (let turn = 0; turn < 40; turn += 1) await Promise.resolve();
}
