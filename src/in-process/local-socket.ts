/**
 * A connection that never leaves the process: a session or the inbox has one end, a client the other.
 *
 * A frame arrives a moment after it was sent, and not at once: a listener may ask the session for
 * something, and the session is in the middle of a command. Microtasks run in the order in which they
 * were queued, so frames arrive as they were sent, and a listener that throws does not keep the next
 * frame from arriving. Frames sent before anything listens wait.
 */
export interface SocketListener {
  received(text: string): void;
  /** The session or the inbox has ended the connection; nothing follows. */
  ended(code: number): void;
}

/** The end of a client, or of the HTTP application on its behalf. */
export type ClientEnd = Pick<LocalSocket<never>, 'listen' | 'receive' | 'leave'>;

/** `Kept` is what the session or the inbox notes about the connection. */
export class LocalSocket<Kept> {
  attachment: Kept;
  readonly #frameReceived: (socket: LocalSocket<Kept>, text: string) => void;
  readonly #left: (socket: LocalSocket<Kept>) => void;
  readonly #undelivered: ((listener: SocketListener) => void)[] = [];
  #listener: SocketListener | undefined;
  #isOpen = true;

  /** `left` is called once when the connection is over, whichever end closed it. */
  constructor(
    attachment: Kept,
    frameReceived: (socket: LocalSocket<Kept>, text: string) => void,
    left: (socket: LocalSocket<Kept>) => void,
  ) {
    this.attachment = attachment;
    this.#frameReceived = frameReceived;
    this.#left = left;
  }

  attach(attachment: Kept): void {
    this.attachment = attachment;
  }

  send(text: string): void {
    this.#mustBeOpen();
    this.#deliver((listener) => listener.received(text));
  }

  /** The session or the inbox closes it. */
  close(code: number): void {
    this.#mustBeOpen();
    this.#isOpen = false;
    this.#left(this);
    this.#deliver((listener) => listener.ended(code));
  }

  listen(listener: SocketListener): void {
    this.#listener = listener;
    for (const _ of this.#undelivered) queueMicrotask(() => this.#deliverNext());
  }

  /** The client sends; `ping` is answered here, as a Durable Object answers it without waking. */
  receive(text: string): void {
    if (!this.#isOpen) return;
    if (text === 'ping') this.send('pong');
    else this.#frameReceived(this, text);
  }

  /** The client closes it, and receives nothing more. */
  leave(): void {
    this.#undelivered.length = 0;
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#left(this);
  }

  #mustBeOpen(): void {
    if (!this.#isOpen) throw new Error('This connection is over');
  }

  #deliver(call: (listener: SocketListener) => void): void {
    this.#undelivered.push(call);
    if (this.#listener !== undefined) queueMicrotask(() => this.#deliverNext());
  }

  #deliverNext(): void {
    const call = this.#undelivered.shift();
    if (this.#listener !== undefined) call?.(this.#listener);
  }
}
