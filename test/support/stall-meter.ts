/**
 * How long this process could not run, because the machine was busy or its host suspended it.
 *
 * A limit on the clock allows for it: without that, a machine that stops for a second makes a server look late.
 */
const EVERY_MS = 20;

export class StallMeter {
  #longestMs = 0;
  #last = Date.now();
  readonly #timer = setInterval(() => this.#note(), EVERY_MS);

  /** Ends the measurement: the longest time by which a timer fired too late. */
  stop(): number {
    this.#note();
    clearInterval(this.#timer);
    return this.#longestMs;
  }

  #note(): void {
    const now = Date.now();
    this.#longestMs = Math.max(this.#longestMs, now - this.#last - EVERY_MS);
    this.#last = now;
  }
}
