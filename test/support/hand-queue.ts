/** Timers that wait for a hand instead of a clock. */
export class HandQueue {
  #waiting: { readonly ms: number; readonly work: () => void }[] = [];

  get size(): number {
    return this.#waiting.length;
  }

  add(ms: number, work: () => void): void {
    this.#waiting.push({ ms, work });
  }

  /** Runs what waits now, or of it only what waits at most this long; what it adds waits on. */
  run(ms = Number.POSITIVE_INFINITY): void {
    const due = this.#waiting.filter((task) => task.ms <= ms);
    this.#waiting = this.#waiting.filter((task) => task.ms > ms);
    for (const { work } of due) work();
  }

  clear(): void {
    this.#waiting = [];
  }
}

/** Lets everything that waits for nothing but its turn come to its end. */
export async function microtasks(): Promise<void> {
  for (let turn = 0; turn < 40; turn += 1) await Promise.resolve();
}
