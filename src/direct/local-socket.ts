/**
 * A connection that never leaves the process: what a session or the inbox sends is heard a moment
 * later.
 *
 * Not at once: whoever hears may ask the session for something, and the session is in the middle of
 * a command. Microtasks run in the order in which they were queued, so frames arrive as they were
 * sent, and a listener that throws does not keep the next one from being called.
 */

export interface Ear {
  heard(text: string): void;
  /** The session has ended the connection, and nothing is heard after this. */
  ended(code: number): void;
}

/** `Kept` is what the other side notes about the connection. */
export class LocalSocket<Kept> {
  attachment: Kept;
  readonly #ear: Ear;
  readonly #left: (socket: LocalSocket<Kept>) => void;
  #isOpen = true;
  #isHeard = true;

  /** `left` is called when the connection is over, whoever ended it. */
  constructor(attachment: Kept, ear: Ear, left: (socket: LocalSocket<Kept>) => void) {
    this.attachment = attachment;
    this.#ear = ear;
    this.#left = left;
  }

  attach(attachment: Kept): void {
    this.attachment = attachment;
  }

  send(text: string): void {
    if (!this.#isOpen) throw new Error('This connection is over');
    queueMicrotask(() => {
      if (this.#isHeard) this.#ear.heard(text);
    });
  }

  /** The session ends it. */
  close(code: number): void {
    if (!this.#isOpen) throw new Error('This connection is over');
    this.#isOpen = false;
    this.#left(this);
    queueMicrotask(() => {
      if (this.#isHeard) this.#ear.ended(code);
    });
  }

  /** Whoever listens ends it, and hears nothing more. */
  leave(): void {
    this.#isHeard = false;
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#left(this);
  }
}
