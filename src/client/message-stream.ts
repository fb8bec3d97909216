/**
 * A message is sent, and what follows from it is yielded: the one way, over whatever transport.
 *
 * The head is taken before the message is sent, so that nothing of what follows can be missed; the
 * session is followed only while somebody asks for the next event. Leaving early closes what was
 * opened for it and nothing else (STR-3).
 */
import { ClientError } from './client-error.ts';
import { abortedError, closedError } from './refused.ts';
import type { Subscriber, Subscription } from './subscription.ts';
import type { MessageStream, Routed } from './transport.ts';
import type { TurnEvent } from './turn-event.ts';
import { TurnStream } from './turn-stream.ts';
import type { Interaction, Snapshot } from './words.ts';
import { YieldQueue } from './yield-queue.ts';

/** What of a transport it needs, for one session. */
export interface MessagePorts {
  snapshot(): Promise<Snapshot>;
  send(): Promise<Routed>;
  /** Once sent: it was long ago, with the same key, and what followed from it is in the log. */
  isOld?(): boolean;
  subscribe(subscriber: Subscriber, after: number): Subscription;
  interaction(interactionId: string): Promise<Interaction>;
}

export function messageStream(
  ports: MessagePorts,
  text: string,
  signal?: AbortSignal,
): MessageStream {
  const before = ports.snapshot();
  // Whoever may send and not read can still send; only following fails then.
  const routed = before
    .catch((cause: unknown) => {
      if (!(cause instanceof ClientError && cause.code === 'forbidden')) throw cause;
    })
    .then(() => ports.send());
  // Either may be looked at by nobody.
  before.catch(() => undefined);
  routed.catch(() => undefined);
  return {
    routed,
    [Symbol.asyncIterator]() {
      const queue = new YieldQueue<TurnEvent>();
      const stop = () => queue.fail(abortedError(signal?.reason));
      if (signal?.aborted === true) stop();
      else signal?.addEventListener('abort', stop, { once: true });
      queue.onEnd(() => signal?.removeEventListener('abort', stop));
      follow(ports, { before, routed, text }, queue).catch((cause: unknown) => queue.fail(cause));
      return queue;
    },
  };
}

interface Message {
  readonly before: Promise<Snapshot>;
  readonly routed: Promise<Routed>;
  readonly text: string;
}

async function follow(
  ports: MessagePorts,
  { before, routed, text }: Message,
  queue: YieldQueue<TurnEvent>,
): Promise<void> {
  const snapshot = await before;
  if (queue.isOver) return;
  let turn: TurnStream | undefined;
  const early: ((turn: TurnStream) => TurnEvent[])[] = [];
  const take = (project: (turn: TurnStream) => TurnEvent[]) => {
    // Where the message went is known a moment later than what follows from it.
    if (turn === undefined) return void early.push(project);
    for (const event of project(turn)) queue.push(event);
    if (turn.isOver) queue.end();
  };
  const subscription = ports.subscribe(
    {
      events: (events) => {
        for (const event of events) take((into) => into.event(event));
      },
      delta: (delta) => take((into) => into.delta(delta)),
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
    return queue.endWith(...outcomeOf(await ports.interaction(where.interactionId)));
  }
  if (ports.isOld?.() === true) return queue.endWith({ type: 'done', reason: 'repeated' });
  turn = new TurnStream(snapshot, { text, ...where });
  for (const project of early.splice(0)) take(project);
}

/** A step leaves it open, and more is to be said before anything follows. */
function outcomeOf(interaction: Interaction): TurnEvent[] {
  const { outcome, toolCallId, interactionId } = interaction;
  if (outcome === null) return [{ type: 'done', reason: 'step' }];
  const resolved = { toolCallId, interactionId, outcome, interaction };
  return [
    { type: 'interaction_resolved', ...resolved },
    { type: 'done', reason: 'answered' },
  ];
}
