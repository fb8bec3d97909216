/** A clock that a test moves; each move runs the timers that became due. */
import type { Clock } from '../../../src/in-process/clock.ts';
import { settle } from './settle.ts';

export class HandClock implements Clock {
  time = 1_700_000_000_000;
  readonly #due = new Map<symbol, { readonly at: number; readonly work: () => void }>();

  now(): number {
    return this.time;
  }

  at(time: number, work: () => void): () => void {
    const name = Symbol();
    this.#due.set(name, { at: time, work });
    return () => void this.#due.delete(name);
  }

  get waiting(): number {
    return this.#due.size;
  }

  async pass(ms: number): Promise<void> {
    const end = this.time + ms;
    await settle();
    for (;;) {
      const [next] = [...this.#due].sort(([, a], [, b]) => a.at - b.at);
      if (next === undefined || next[1].at > end) break;
      this.#due.delete(next[0]);
      this.time = Math.max(this.time, next[1].at);
      next[1].work();
      await settle();
    }
    this.time = end;
  }
}
