/**
 * Yields the events that follow from a message.
 *
 * The subscription opens with the first `next()`. Leaving early closes that subscription and nothing else (STR-3).
 */
import { abortedError, closedError } from '../errors.ts';
import type { MessagePorts } from './message-stream.ts';
import type { Routed } from '../transport.ts';
import type { TurnEvent } from './turn-event.ts';
import { TurnStream } from './turn-stream.ts';
import type { Interaction, Snapshot } from '../../protocol/types.ts';

export type FollowPorts = Pick<MessagePorts, 'subscribe' | 'interaction' | 'isOld'>;

export interface FollowedMessage {
  readonly before: Promise<Snapshot>;
  readonly routed: Promise<Routed>;
  readonly text: string;
  readonly signal: AbortSignal | undefined;
}

export function messageFollower(
  ports: FollowPorts,
  message: FollowedMessage,
): AsyncQueue<TurnEvent> {
  const { signal } = message;
  const queue = new AsyncQueue<TurnEvent>();
  const stop = () => queue.fail(abortedError(signal?.reason));
  if (signal?.aborted === true) stop();
  else signal?.addEventListener('abort', stop, { once: true });
  queue.onEnd(() => signal?.removeEventListener('abort', stop));
  followMessage(ports, message, queue).catch((cause: unknown) => queue.fail(cause));
  return queue;
}

async function followMessage(
  ports: FollowPorts,
  { before, routed, text }: FollowedMessage,
  queue: AsyncQueue<TurnEvent>,
): Promise<void> {
  const snapshot = await before;
  if (queue.isOver) return;
  let turn: TurnStream | undefined;
  const early: ((turn: TurnStream) => TurnEvent[])[] = [];
  const project = (read: (turn: TurnStream) => TurnEvent[]) => {
    // Events may arrive before the reply that says where the message went.
    if (turn === undefined) return void early.push(read);
    for (const event of read(turn)) queue.push(event);
    if (turn.isOver) queue.end();
  };
  const subscription = ports.subscribe(
    {
      events: (events) => {
        for (const event of events) project((into) => into.event(event));
      },
      delta: (delta) => project((into) => into.delta(delta)),
      status(status) {
        if (status.type === 'closed') queue.fail(status.error ?? closedError());
      },
    },
    snapshot.head,
  );
  queue.onEnd(() => subscription.close());
  const where = await routed;
  if (where.routed === 'command') return queue.endWith({ type: 'done', reason: 'command' });
  if (where.routed === 'interaction') {
    return queue.endWith(...outcomeEvents(await ports.interaction(where.interactionId)));
  }
  if (ports.isOld?.() === true) return queue.endWith({ type: 'done', reason: 'repeated' });
  turn = new TurnStream(snapshot, { text, ...where });
  for (const read of early.splice(0)) project(read);
}

/** After a step the interaction is still open, and nothing follows yet. */
function outcomeEvents(interaction: Interaction): TurnEvent[] {
  const { outcome, toolCallId, interactionId } = interaction;
  if (outcome === null) return [{ type: 'done', reason: 'step' }];
  const resolved = { toolCallId, interactionId, outcome, interaction };
  return [
    { type: 'interaction_resolved', ...resolved },
    { type: 'done', reason: 'answered' },
  ];
}

/**
 * An async iterator over pushed values.
 *
 * It is no generator: a generator that waits ignores `return()` until its next value, so a loop left from outside would
 * leak its subscription.
 */
export class AsyncQueue<Value> implements AsyncIterator<Value, undefined> {
  readonly #values: Value[] = [];
  readonly #waiting: {
    resolve(result: IteratorResult<Value, undefined>): void;
    reject(cause: unknown): void;
  }[] = [];
  readonly #undo: (() => void)[] = [];
  #error: { readonly cause: unknown } | undefined;
  #isOver = false;

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Calls back once, when the queue ends. */
  onEnd(undo: () => void): void {
    if (this.#isOver) undo();
    else this.#undo.push(undo);
  }

  push(value: Value): void {
    if (this.#isOver) return;
    const waiting = this.#waiting.shift();
    if (waiting === undefined) this.#values.push(value);
    else waiting.resolve({ done: false, value });
  }

  /** Values pushed before are still yielded. */
  end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    for (const { resolve } of this.#waiting.splice(0)) resolve({ done: true, value: undefined });
    for (const undo of this.#undo.splice(0)) undo();
  }

  endWith(...values: readonly Value[]): void {
    for (const value of values) this.push(value);
    this.end();
  }

  fail(cause: unknown): void {
    if (this.#isOver) return;
    const [first] = this.#waiting.splice(0, 1);
    if (first === undefined) this.#error = { cause };
    else first.reject(cause);
    this.end();
  }

  next(): Promise<IteratorResult<Value, undefined>> {
    const value = this.#values.shift();
    if (value !== undefined) return Promise.resolve({ done: false, value });
    const error = this.#error;
    this.#error = undefined;
    if (error !== undefined) return Promise.reject(error.cause);
    if (this.#isOver) return Promise.resolve({ done: true, value: undefined });
    return new Promise((resolve, reject) => this.#waiting.push({ resolve, reject }));
  }

  return(): Promise<IteratorResult<Value, undefined>> {
    this.#values.length = 0;
    this.#error = undefined;
    this.end();
    return Promise.resolve({ done: true, value: undefined });
  }
}
