/** The environment of a client: the test moves its clock, hides its page and disconnects its network. */
import type { Environment } from '../../../src/client/environment.ts';

interface Timer {
  readonly at: number;
  readonly work: () => void;
}

export class HandWorld implements Environment {
  #now = 1_000_000;
  readonly #timers = new Set<Timer>();
  readonly #watchers = new Set<Parameters<Environment['watch']>[0]>();
  isOnline = true;
  isVisible = true;

  now(): number {
    return this.#now;
  }

  chance(): number {
    return 1;
  }

  after(ms: number, work: () => void): () => void {
    const timer = { at: this.#now + ms, work };
    this.#timers.add(timer);
    return () => void this.#timers.delete(timer);
  }

  watch(listener: Parameters<Environment['watch']>[0]): () => void {
    this.#watchers.add(listener);
    return () => void this.#watchers.delete(listener);
  }

  get timers(): number {
    return this.#timers.size;
  }

  get watchers(): number {
    return this.#watchers.size;
  }

  /** Advances the clock; runs due timers in order, and pending promises before the next timer. */
  async pass(ms: number): Promise<void> {
    const until = this.#now + ms;
    await settle();
    for (let next = this.#next(until); next !== undefined; next = this.#next(until)) {
      this.#now = Math.max(this.#now, next.at);
      this.#timers.delete(next);
      next.work();
      await settle();
    }
    this.#now = until;
  }

  async turn(change: 'online' | 'offline' | 'visible' | 'hidden'): Promise<void> {
    if (change === 'online' || change === 'offline') this.isOnline = change === 'online';
    else this.isVisible = change === 'visible';
    for (const listener of this.#watchers) listener(change);
    await settle();
  }

  #next(until: number): Timer | undefined {
    const due = [...this.#timers].filter(({ at }) => at <= until);
    return due.toSorted((a, b) => a.at - b.at)[0];
  }
}

/** Waits until all pending promises have settled. */
export async function settle(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}
