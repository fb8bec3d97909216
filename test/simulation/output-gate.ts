/**
 * Holds back the messages of an object until its writes are confirmed to be in storage.
 *
 * A message leaves at once while no write waits for confirmation, even immediately before a write, as on the platform.
 * So an object that sends before it writes may show an event that is never stored.
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

  /** The process ends; the first held messages may have left before. */
  drop(kept = 0): void {
    const left = this.#held.splice(0).slice(0, kept);
    this.isClosed = false;
    for (const output of left) output();
  }
}
