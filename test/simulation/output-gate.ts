/**
 * Holds back what an object says until what it has written is confirmed to be in storage.
 *
 * What is said while nothing waits to be confirmed goes out at once, also in the moment before a
 * write: that is how the platform does it, and why saying before writing shows what may never be.
 */
export class OutputGate {
  isClosed = false;
  #held: (() => void)[] = [];

  get size(): number {
    return this.#held.length;
  }

  close(): void {
    this.isClosed = true;
  }

  out(output: () => void): void {
    if (this.isClosed) this.#held.push(output);
    else output();
  }

  open(): void {
    this.isClosed = false;
    for (const output of this.#held.splice(0)) output();
  }

  /** The process ends; the first of what was held may have left before. */
  drop(kept = 0): void {
    const left = this.#held.splice(0).slice(0, kept);
    this.isClosed = false;
    for (const output of left) output();
  }
}
