/**
 * The messages of the SDK with what happens to its questions in between (STR-2).
 *
 * While the SDK is blocked in `canUseTool` it says nothing, and whoever watches must still hear that
 * a person is asked. What must stay true:
 * 1. A message that was asked for is kept until it is yielded, however often the queue is faster. A
 *    race that drops its loser loses that message for good.
 * 2. What is in the queue comes before the next message, and after the last, in its order.
 * 3. Leaving ends the SDK's stream. A failure of it comes after what was queued before.
 */
type Came<Message> =
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
  /** One message at a time is asked for; this is where it is kept when it comes. */
  #came: Came<Message> | undefined;
  #isAsked = false;
  #isOver = false;
  #wake: (() => void) | undefined;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(messages: AsyncIterator<Message, unknown>, queue: EventQueue<Event>) {
    this.#messages = messages;
    this.#queue = queue;
    queue.listen(() => this.#wake?.());
  }

  /** Those who ask twice without waiting get two things, in order. */
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
      const taken = this.#queue.take();
      if (taken !== undefined) return { done: false, value: taken.event };
      const came = this.#came;
      if (came !== undefined) return this.#give(came);
      this.#ask();
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    return { done: true, value: undefined };
  }

  #ask(): void {
    if (this.#isAsked) return;
    this.#isAsked = true;
    const keep = (came: Came<Message>) => {
      this.#came = came;
      this.#wake?.();
    };
    const keepFailure = (cause: unknown) => keep({ ok: false, cause });
    const asked = async () => this.#messages.next();
    asked().then((result) => keep({ ok: true, result }), keepFailure);
  }

  #give(came: Came<Message>): IteratorResult<Message | Event, void> {
    this.#came = undefined;
    this.#isAsked = false;
    if (came.ok && came.result.done !== true) return { done: false, value: came.result.value };
    this.#end();
    if (!came.ok) throw came.cause;
    return { done: true, value: undefined };
  }

  #end(): void {
    this.#isOver = true;
    this.#queue.listen(undefined);
    this.#wake?.();
  }
}

/** A query of the SDK is both, and only ended as an iterator does it end its process. */
function iteratorOf<Message>(
  messages: AsyncIterable<Message> | AsyncIterator<Message, unknown>,
): AsyncIterator<Message, unknown> {
  return 'next' in messages ? messages : messages[Symbol.asyncIterator]();
}

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
