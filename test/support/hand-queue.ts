/** Timers that a test runs by hand, without a clock. */
export class HandQueue {
  #waiting: { readonly ms: number; readonly work: () => void }[] = [];

  get size(): number {
    return this.#waiting.length;
  }

  add(ms: number, work: () => void): void {
    this.#waiting.push({ ms, work });
  }

  /** Runs the waiting tasks, or only those with at most this delay; tasks added by them wait for the next call. */
  run(ms = Number.POSITIVE_INFINITY): void {
    const due = this.#waiting.filter((task) => task.ms <= ms);
    this.#waiting = this.#waiting.filter((task) => task.ms > ms);
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
