/** Events put in at one end and taken out at the other by whoever merges them into a stream. */
export class EventQueue<Event> {
  readonly #events: Event[] = [];
  #told: (() => void) | undefined;

  push(event: Event): void {
    this.#events.push(event);
    this.#told?.();
  }

  /** The oldest, or undefined: nothing is waiting now. */
  take(): { readonly event: Event } | undefined {
    return this.#events.length === 0 ? undefined : { event: this.#events.shift() as Event };
  }

  /** Told of every push from now on; there is one listener at a time. */
  listen(told: (() => void) | undefined): void {
    this.#told = told;
  }
}
