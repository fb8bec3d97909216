/**
 * A connection that never leaves the process: what a session sends is heard a moment later.
 *
 * Not at once: whoever hears may ask the session for something, and the session is in the middle of
 * a command. Microtasks run in the order in which they were queued, so frames arrive as they were
 * sent, and a listener that throws does not keep the next one from being called.
 */
import type { Attachment, Socket } from '../session/ports.ts';

export interface Ear {
  heard(text: string): void;
  /** The session has ended the connection, and nothing is heard after this. */
  ended(code: number): void;
}

export class LocalSocket implements Socket {
  attachment: Attachment;
  readonly #ear: Ear;
  readonly #left: (socket: LocalSocket) => void;
  #isOpen = true;
  #isHeard = true;

  /** `left` is called when the connection is over, whoever ended it. */
  constructor(attachment: Attachment, ear: Ear, left: (socket: LocalSocket) => void) {
    this.attachment = attachment;
    this.#ear = ear;
    this.#left = left;
  }

  attach(attachment: Attachment): void {
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
