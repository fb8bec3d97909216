/**
 * A connection inside the process: a session or the inbox has one end, a client the other.
 *
 * A frame is delivered in a microtask, and not at once: a listener may call the session, which is in the
 * middle of a command. Microtasks keep the order of the frames, and a listener that throws does not stop
 * the next frame. Frames that are sent before there is a listener wait for it.
 */
export interface SocketListener {
  received(text: string): void;
  /** The session or the inbox has closed the connection; nothing follows. */
  ended(code: number): void;
}

/** The end that a client has, or the HTTP application on its behalf. */
export type ClientEnd = Pick<LocalSocket<never>, 'listen' | 'receive' | 'leave'>;

/** `Attached` is the data that the session or the inbox keeps with the connection. */
export class LocalSocket<Attached> {
  attachment: Attached;
  readonly #frameReceived: (socket: LocalSocket<Attached>, text: string) => void;
  readonly #left: (socket: LocalSocket<Attached>) => void;
  readonly #undelivered: ((listener: SocketListener) => void)[] = [];
  #listener: SocketListener | undefined;
  #isOpen = true;

  /** `left` is called once when the connection is over, whichever end closed it. */
  constructor(
    attachment: Attached,
    frameReceived: (socket: LocalSocket<Attached>, text: string) => void,
    left: (socket: LocalSocket<Attached>) => void,
  ) {
    this.attachment = attachment;
    this.#frameReceived = frameReceived;
    this.#left = left;
  }

  attach(attachment: Attached): void {
    this.attachment = attachment;
  }

  send(text: string): void {
    this.#mustBeOpen();
    this.#deliver((listener) => listener.received(text));
  }

  /** Closes the end of the session or the inbox. */
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

  /** A frame of the client. `ping` is answered here, as a Durable Object answers it without waking. */
  receive(text: string): void {
    if (!this.#isOpen) return;
    if (text === 'ping') this.send('pong');
    else this.#frameReceived(this, text);
  }

  /** Closes the end of the client, which receives nothing more. */
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
