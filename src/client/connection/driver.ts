/**
 * Keeps one subscriber connected: owns the link, the timer and the listeners, and performs the actions of machine.ts,
 * which decides everything.
 *
 * An error that a subscriber throws goes to `onError`; delivery continues.
 */
import {
  type Link,
  type OpenLink,
  type LinkKind,
  type ConnectionAction,
  type ConnectionEvent,
  type ConnectionState,
  dueAt,
  type SessionStream,
  type ConnectionStep,
  connectionStatusOf,
  type Stream,
} from './state.ts';
import { advance, beginConnection } from './machine.ts';
import { TIMING, type Timing } from '../backoff.ts';
import type { Looking } from '../../protocol/types.ts';
import type { ConnectionStatus, Subscriber, Subscription } from '../transport.ts';
import type { TokenSource } from '../token-source.ts';
import type { Environment } from '../environment.ts';

/** A `Subscriber` for the payloads of this connection. */
interface StreamListener<Carried extends Stream>
  extends Pick<Subscriber, 'events' | 'presence' | 'agents' | 'status'> {
  readonly welcome?: (snapshot: Carried['snapshot']) => void;
  readonly delta?: (delta: Carried['delta']) => void;
}

type LinkOpener<Carried extends Stream> = () => OpenLink<Carried> | Promise<OpenLink<Carried>>;

export interface DriverOptions<Carried extends Stream = SessionStream> {
  readonly after: number;
  readonly subscriber: StreamListener<Carried>;
  readonly tokens: TokenSource;
  readonly environment: Environment;
  /** Loaded on demand: most clients get through with sockets. */
  readonly stream: LinkOpener<Carried>;
  /** Absent where there are no WebSockets. */
  readonly socket?: LinkOpener<Carried> | undefined;
  readonly timing?: Timing | undefined;
  /** Receives errors that a subscriber throws. */
  readonly onError: (cause: unknown) => void;
  readonly onClosed?: () => void;
}

export class Driver<Carried extends Stream = SessionStream> implements Subscription {
  readonly #options: DriverOptions<Carried>;
  readonly #unwatch: () => void;
  #state: ConnectionState;
  #notified: ConnectionStatus | undefined;
  #link: Link | undefined;
  /** Counts connections; events of an earlier one are ignored. */
  #connection = 0;
  #timer: { readonly at: number; readonly cancel: () => void } | undefined;
  /** A subscriber may cause events while it handles one. */
  readonly #queue: ConnectionEvent<Carried>[] = [];
  #isBusy = false;
  /** The frame that says what the person looks at. */
  #look: string | null = null;

  constructor(options: DriverOptions<Carried>) {
    this.#options = options;
    const { after, socket, environment } = options;
    const { isOnline, isVisible } = environment;
    const hasSockets = socket !== undefined;
    const first = beginConnection({ after, hasSockets, isOnline, isVisible }, this.#now());
    this.#state = first.state;
    this.#unwatch = environment.watch((change) => this.#handle({ type: change }));
    // The caller has no subscription until this constructor returns, so nothing may be delivered before.
    queueMicrotask(() => {
      if (this.#state.phase.type !== 'connecting') return;
      this.#drain({ state: this.#state, actions: first.actions });
    });
  }

  get cursor(): number {
    return this.#state.memory.cursor;
  }

  get status(): ConnectionStatus {
    return connectionStatusOf(this.#state);
  }

  look(at: Looking | null): void {
    const frame = JSON.stringify({ type: 'look', id: 'look', looking: at !== null, ...at });
    const look = at && frame;
    if (look === this.#look) return;
    this.#look = look;
    if ('since' in this.#state.phase) this.#link?.send?.(frame);
  }

  reconnect(): void {
    this.#handle({ type: 'reconnect' });
  }

  close(): void {
    this.#handle({ type: 'stop' });
  }

  #now() {
    const { environment, timing = TIMING } = this.#options;
    return { now: environment.now(), chance: environment.chance(), timing };
  }

  #handle(event: ConnectionEvent<Carried>): void {
    this.#queue.push(event);
    if (!this.#isBusy) this.#drain();
  }

  #drain(first?: ConnectionStep<Carried>): void {
    this.#isBusy = true;
    if (first !== undefined) this.#apply(first);
    for (let next = this.#queue.shift(); next !== undefined; next = this.#queue.shift()) {
      if (this.#state.phase.type === 'closed') continue;
      this.#apply(advance(this.#state, next, this.#now()));
    }
    this.#isBusy = false;
  }

  #apply({ state, actions }: ConnectionStep<Carried>): void {
    this.#state = state;
    for (const action of actions) this.#perform(action);
    this.#notify();
    if (state.phase.type === 'closed') this.#end();
    else this.#arm();
  }

  #perform(action: ConnectionAction<Carried>): void {
    const { subscriber } = this.#options;
    switch (action.type) {
      case 'connect':
        this.#connect(action.link, action.isRenewal);
        return;
      case 'drop':
        this.#drop();
        return;
      case 'ping':
        this.#link?.send?.('ping');
        return;
      case 'welcome':
        if (this.#look !== null) this.#link?.send?.(this.#look);
        return this.#callListener(() => subscriber.welcome?.(action.snapshot));
      case 'deliver':
        return this.#callListener(() => subscriber.events?.(action.events));
      case 'delta':
        return this.#callListener(() => subscriber.delta?.(action.delta));
      case 'presence':
        return this.#callListener(() => subscriber.presence?.(action.presence));
      case 'agents':
        return this.#callListener(() => subscriber.agents?.(action.agents));
    }
  }

  #connect(kind: LinkKind, isRenewal: boolean): void {
    this.#drop();
    const connection = this.#connection;
    const { tokens, socket, stream } = this.#options;
    const send = (event: ConnectionEvent<Carried>) => {
      if (connection === this.#connection) this.#handle(event);
    };
    const refused = isRenewal ? tokens.current : undefined;
    const opener = kind === 'socket' && socket !== undefined ? socket : stream;
    Promise.all([tokens.get(refused), opener()]).then(
      ([token, open]) => {
        if (connection !== this.#connection) return;
        if (token === '' || token === refused) return send({ type: 'token-refused' });
        this.#link = open({ after: this.cursor, token }, send);
      },
      () => send({ type: 'closed', code: 1006 }),
    );
  }

  #drop(): void {
    this.#connection += 1;
    this.#link?.drop();
    this.#link = undefined;
  }

  /** Keeps an earlier timer: `dueAt` moves with every frame, and an early `due` only sets the next timer. */
  #arm(): void {
    const at = dueAt(this.#state);
    if (this.#timer !== undefined && at !== undefined && this.#timer.at <= at) return;
    this.#timer?.cancel();
    this.#timer = undefined;
    if (at === undefined) return;
    const { environment } = this.#options;
    const cancel = environment.after(Math.max(0, at - environment.now()), () => {
      this.#timer = undefined;
      this.#handle({ type: 'due' });
    });
    this.#timer = { at, cancel };
  }

  #notify(): void {
    const { status } = this;
    if (JSON.stringify(status) === JSON.stringify(this.#notified)) return;
    this.#notified = status;
    this.#callListener(() => this.#options.subscriber.status?.(status));
  }

  #end(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    this.#unwatch();
    this.#options.onClosed?.();
  }

  #callListener(work: () => void): void {
    try {
      work();
    } catch (cause) {
      this.#options.onError(cause);
    }
  }
}
