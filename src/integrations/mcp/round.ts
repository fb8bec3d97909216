/**
 * One round: how long one call of a tool waits for a person (MCP-1).
 *
 * MCP clients give up on a call after a minute, and people take longer. So a question outlives the call that asked it: at
 * the end of a round the call ends without an outcome, the question stays open, and the next call takes it up by its tool
 * call id. A round gives its caller a transport that ends every wait in time; whatever asks through that transport needs
 * to know nothing about rounds.
 *
 * 1. The end of a round cancels nothing and loses nothing: an answer that comes between two rounds is in the record.
 * 2. A later round takes a question up. It never opens again what has ended in the meantime.
 */
import { ClientError } from '../../client/errors.ts';
import { linkSignals } from '../../client/requests/signals.ts';
import type { Transport } from '../../client/transport.ts';
import type { Interaction } from '../../protocol/types.ts';

/** The limit of the official clients is 60 seconds; the rest is for the way. */
export const ROUND_MS = 50_000;

/** Ends a wait. It is no `ClientError`, so that no retry takes it for a lost connection. */
export class RoundOverError extends Error {
  override readonly name = 'RoundOverError';
}

export interface OpenQuestion {
  readonly sessionId: string;
  readonly interaction: Interaction;
}

export interface RoundOptions {
  /** Undefined: until the outcome, for a client that waits as long. */
  readonly waitMs: number | undefined;
  /** An earlier round has asked already. */
  readonly isLater: boolean;
  /** The client went away: the wait ends, the question stays. */
  readonly left: AbortSignal;
  /** Called when a question is open. */
  readonly onOpened: () => void;
}

export class Round {
  /** For everything that asks in this round. */
  readonly transport: Transport;
  readonly #options: RoundOptions;
  readonly #end = new AbortController();
  readonly #timer: ReturnType<typeof setTimeout> | undefined;
  #question: OpenQuestion | undefined;
  #isSessionLost = false;

  constructor(transport: Transport, options: RoundOptions) {
    this.#options = options;
    const { waitMs, left } = options;
    if (waitMs !== undefined) this.#timer = setTimeout(this.#endWait, waitMs);
    if (left.aborted) this.#endWait();
    left.addEventListener('abort', this.#endWait);
    this.transport = withMethods(transport, {
      open: (...args) => this.#open(transport, ...args),
      interaction: (...args) => this.#wait(transport, ...args),
      createSession: (...args) => this.#watchLoss(transport.createSession(...args)),
    });
  }

  /** The question that was open when the round ended; undefined if there is an outcome, or no question. */
  get openQuestion(): OpenQuestion | undefined {
    return this.#end.signal.aborted ? this.#question : undefined;
  }

  /** The question as it was read last. */
  get question(): OpenQuestion | undefined {
    return this.#question;
  }

  /** The session was deleted, or its log is full: it takes no further question. */
  get isSessionLost(): boolean {
    return this.#isSessionLost;
  }

  release(): void {
    clearTimeout(this.#timer);
    this.#options.left.removeEventListener('abort', this.#endWait);
  }

  readonly #endWait = () => this.#end.abort(new RoundOverError('The round is over'));

  readonly #open = async (
    transport: Transport,
    ...[sessionId, request, how]: Parameters<Transport['open']>
  ): ReturnType<Transport['open']> => {
    const { reopen, ...rest } = request;
    const isAgain = this.#options.isLater || reopen === undefined;
    const opened = await this.#watchLoss(transport.open(sessionId, isAgain ? rest : request, how));
    this.#keep(sessionId, opened.type === 'interaction' ? opened.interaction : undefined);
    if (this.#question !== undefined) this.#options.onOpened();
    return opened;
  };

  #watchLoss<Value>(reply: Promise<Value>): Promise<Value> {
    return reply.catch((cause: unknown) => {
      this.#isSessionLost = isLost(cause);
      throw cause;
    });
  }

  readonly #wait = async (
    transport: Transport,
    ...[sessionId, interactionId, how]: Parameters<Transport['interaction']>
  ): ReturnType<Transport['interaction']> => {
    const waits = how?.waitSeconds ?? 0;
    const { signal, release } = linkSignals([how?.signal, this.#end.signal]);
    try {
      const found = await transport.interaction(sessionId, interactionId, {
        ...how,
        ...(waits > 0 && { waitSeconds: Math.min(waits, ROUND_MS / 1_000) }),
        signal,
      });
      this.#keep(sessionId, found);
      if (found.status === 'open') this.#end.signal.throwIfAborted();
      return found;
    } catch (cause) {
      if (how?.signal?.aborted !== true) this.#end.signal.throwIfAborted();
      throw cause;
    } finally {
      release();
    }
  };

  #keep(sessionId: string, interaction: Interaction | undefined): void {
    this.#question = interaction?.status === 'open' ? { sessionId, interaction } : undefined;
  }
}

function isLost(cause: unknown): boolean {
  if (!(cause instanceof ClientError)) return false;
  const isFull = cause.code === 'limit_reached' && cause.details?.limit === 'eventsPerSession';
  return isFull || cause.code === 'session_deleted';
}

/** The transport with some methods replaced; the others run on the transport itself, which has private fields. */
function withMethods(transport: Transport, methods: Partial<Transport>): Transport {
  return new Proxy(transport, {
    get(target, name) {
      const own: unknown = Reflect.get(methods, name);
      if (own !== undefined) return own;
      const inherited: unknown = Reflect.get(target, name, target);
      return typeof inherited === 'function' ? inherited.bind(target) : inherited;
    },
  });
}
