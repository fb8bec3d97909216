/**
 * Merges the messages of the SDK with the events of its questions (STR-2).
 *
 * While the SDK is blocked in `canUseTool` it yields no message, and a viewer must still see that a person is asked.
 * Invariants:
 * 1. A requested message is kept until it is yielded, however often the queue is faster. A race that dropped its loser would
 *    lose the message.
 * 2. Queued events come before the next message, and after the last one, in their order.
 * 3. Leaving ends the stream of the SDK. A failure of that stream comes after the events queued before it.
 */
type MessageResult<Message> =
  | { readonly ok: true; readonly result: IteratorResult<Message, unknown> }
  | { readonly ok: false; readonly cause: unknown };

export function mergeWithInteractions<Message, Event>(
  messages: AsyncIterable<Message> | AsyncIterator<Message, unknown>,
  queue: EventQueue<Event>,
): AsyncIterableIterator<Message | Event, void> {
  return new Merged(iteratorOf(messages), queue);
}

class Merged<Message, Event> implements AsyncIterableIterator<Message | Event, void> {
  readonly #messages: AsyncIterator<Message, unknown>;
  readonly #queue: EventQueue<Event>;
  /** The requested message, once it has arrived; there is one request at a time. */
  #arrived: MessageResult<Message> | undefined;
  #isRequested = false;
  #isOver = false;
  #wake: (() => void) | undefined;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(messages: AsyncIterator<Message, unknown>, queue: EventQueue<Event>) {
    this.#messages = messages;
    this.#queue = queue;
    queue.listen(() => this.#wake?.());
  }

  /** Calls without waiting in between resolve in order. */
  next(): Promise<IteratorResult<Message | Event, void>> {
    const turn = this.#turn.then(() => this.#next());
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  async return(): Promise<IteratorResult<Message | Event, void>> {
    if (!this.#isOver) {
      this.#end();
      await this.#messages.return?.();
    }
    return { done: true, value: undefined };
  }

  async throw(cause: unknown): Promise<IteratorResult<Message | Event, void>> {
    if (!this.#isOver) {
      this.#end();
      if (this.#messages.throw === undefined) await this.#messages.return?.();
      else await this.#messages.throw(cause);
    }
    throw cause;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async #next(): Promise<IteratorResult<Message | Event, void>> {
    while (!this.#isOver) {
      const queued = this.#queue.take();
      if (queued !== undefined) return { done: false, value: queued.event };
      const arrived = this.#arrived;
      if (arrived !== undefined) return this.#yieldMessage(arrived);
      this.#request();
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    return { done: true, value: undefined };
  }

  #request(): void {
    if (this.#isRequested) return;
    this.#isRequested = true;
    const keep = (arrived: MessageResult<Message>) => {
      this.#arrived = arrived;
      this.#wake?.();
    };
    const keepFailure = (cause: unknown) => keep({ ok: false, cause });
    const request = async () => this.#messages.next();
    request().then((result) => keep({ ok: true, result }), keepFailure);
  }

  #yieldMessage(arrived: MessageResult<Message>): IteratorResult<Message | Event, void> {
    this.#arrived = undefined;
    this.#isRequested = false;
    if (arrived.ok && arrived.result.done !== true)
      return { done: false, value: arrived.result.value };
    this.#end();
    if (!arrived.ok) throw arrived.cause;
    return { done: true, value: undefined };
  }

  #end(): void {
    this.#isOver = true;
    this.#queue.listen(undefined);
    this.#wake?.();
  }
}

/** A query of the SDK is iterable and an iterator; only its end as an iterator ends its process. */
function iteratorOf<Message>(
  messages: AsyncIterable<Message> | AsyncIterator<Message, unknown>,
): AsyncIterator<Message, unknown> {
  return 'next' in messages ? messages : messages[Symbol.asyncIterator]();
}

/** Events of questions, pushed by `onEvent` and taken by `mergeWithInteractions`. */
export class EventQueue<Event> {
  readonly #events: Event[] = [];
  #listener: (() => void) | undefined;

  push(event: Event): void {
    this.#events.push(event);
    this.#listener?.();
  }

  /** The oldest event; undefined if the queue is empty. */
  take(): { readonly event: Event } | undefined {
    return this.#events.length === 0 ? undefined : { event: this.#events.shift() as Event };
  }

  /** Sets the one listener, which is called at every push. */
  listen(listener: (() => void) | undefined): void {
    this.#listener = listener;
  }
}
