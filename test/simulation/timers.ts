/** Timers of one object on a clock that the run moves; they end with the process. */
interface Timer {
  readonly dueAt: number;
  readonly work: () => void;
}

export class Timers {
  #waiting: Timer[] = [];

  get size(): number {
    return this.#waiting.length;
  }

  get nextAt(): number | null {
    return this.#waiting.length === 0
      ? null
      : Math.min(...this.#waiting.map((timer) => timer.dueAt));
  }

  /** The result takes the timer back. */
  add(dueAt: number, work: () => void): () => void {
    const timer = { dueAt, work };
    this.#waiting.push(timer);
    return () => {
      this.#waiting = this.#waiting.filter((one) => one !== timer);
    };
  }

  /** Removes and returns the first due timer, in the order of their times. */
  take(now: number): (() => void) | undefined {
    const first = this.#waiting.toSorted((a, b) => a.dueAt - b.dueAt)[0];
    if (first === undefined || first.dueAt > now) return undefined;
    this.#waiting = this.#waiting.filter((timer) => timer !== first);
    return first.work;
  }

  clear(): void {
    this.#waiting = [];
  }
}
