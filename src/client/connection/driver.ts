/**
 * Keeps one subscriber connected: it owns the link, the timer and the listeners, and does what the
 * machine in machine.ts says. It decides nothing itself.
 *
 * A subscriber that throws is its own problem: the others, and its own next events, go on.
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
  type Step,
  statusOf,
  type Stream,
} from './state.ts';
import { advance, begin } from './machine.ts';
import { TIMING, type Timing } from '../backoff.ts';
import type { ConnectionStatus, Subscriber, Subscription } from '../subscription.ts';
import type { TokenSource } from '../token-source.ts';
import type { Environment } from '../environment.ts';

/** A `Subscriber`, of whatever it is that this connection carries. */
interface Listener<Carried extends Stream> extends Pick<Subscriber, 'events' | 'status'> {
  readonly welcome?: (snapshot: Carried['snapshot']) => void;
  readonly delta?: (delta: Carried['delta']) => void;
}

type Opener<Carried extends Stream> = () => OpenLink<Carried> | Promise<OpenLink<Carried>>;

export interface DriverOptions<Carried extends Stream = SessionStream> {
  readonly after: number;
  readonly subscriber: Listener<Carried>;
  readonly tokens: TokenSource;
  readonly world: Environment;
  /** Loaded where it is needed: most get through with sockets. */
  readonly stream: Opener<Carried>;
  /** Absent where there are no WebSockets. */
  readonly socket?: Opener<Carried> | undefined;
  readonly pace?: Timing | undefined;
  /** What a subscriber threw. */
  readonly onError: (cause: unknown) => void;
  readonly onClosed?: () => void;
}

export class Driver<Carried extends Stream = SessionStream> implements Subscription {
  readonly #options: DriverOptions<Carried>;
  readonly #unwatch: () => void;
  #state: ConnectionState;
  #told: ConnectionStatus | undefined;
  #link: Link | undefined;
  /** Counts connections; what an earlier one still says is not listened to. */
  #connection = 0;
  #alarm: { readonly at: number; readonly cancel: () => void } | undefined;
  /** Something may happen while a subscriber is being told of what happened before. */
  readonly #queue: ConnectionEvent<Carried>[] = [];
  #isBusy = false;

  constructor(options: DriverOptions<Carried>) {
    this.#options = options;
    const { after, socket, world } = options;
    const { isOnline, isVisible } = world;
    const hasSockets = socket !== undefined;
    const first = begin({ after, hasSockets, isOnline, isVisible }, this.#now());
    this.#state = first.state;
    this.#unwatch = world.watch((change) => this.#tell({ type: change }));
    // Nobody holds the subscription before this returns: what is said first must come after it.
    queueMicrotask(() => {
      if (this.#state.phase.type !== 'connecting') return;
      this.#drain({ state: this.#state, actions: first.actions });
    });
  }

  get cursor(): number {
    return this.#state.memory.cursor;
  }

  get status(): ConnectionStatus {
    return statusOf(this.#state);
  }

  reconnect(): void {
    this.#tell({ type: 'reconnect' });
  }

  close(): void {
    this.#tell({ type: 'stop' });
  }

  #now() {
    const { world, pace = TIMING } = this.#options;
    return { now: world.now(), chance: world.chance(), pace };
  }

  #tell(event: ConnectionEvent<Carried>): void {
    this.#queue.push(event);
    if (!this.#isBusy) this.#drain();
  }

  #drain(first?: Step<Carried>): void {
    this.#isBusy = true;
    if (first !== undefined) this.#take(first);
    for (let next = this.#queue.shift(); next !== undefined; next = this.#queue.shift()) {
      if (this.#state.phase.type === 'closed') continue;
      this.#take(advance(this.#state, next, this.#now()));
    }
    this.#isBusy = false;
  }

  #take({ state, actions }: Step<Carried>): void {
    this.#state = state;
    for (const action of actions) this.#do(action);
    this.#notify();
    if (state.phase.type === 'closed') this.#end();
    else this.#arm();
  }

  #do(action: ConnectionAction<Carried>): void {
    const { subscriber } = this.#options;
    switch (action.type) {
      case 'connect':
        this.#connect(action.link, action.isRenewal);
        return;
      case 'drop':
        this.#drop();
        return;
      case 'ping':
        this.#link?.ping();
        return;
      case 'welcome':
        return this.#call(() => subscriber.welcome?.(action.snapshot));
      case 'deliver':
        return this.#call(() => subscriber.events?.(action.events));
      case 'delta':
        return this.#call(() => subscriber.delta?.(action.delta));
    }
  }

  #connect(kind: LinkKind, isRenewal: boolean): void {
    this.#drop();
    const mine = this.#connection;
    const { tokens, socket, stream } = this.#options;
    const tell = (event: ConnectionEvent<Carried>) => {
      if (mine === this.#connection) this.#tell(event);
    };
    const refused = isRenewal ? tokens.current : undefined;
    const opener = kind === 'socket' && socket !== undefined ? socket : stream;
    Promise.all([tokens.get(refused), opener()]).then(
      ([token, open]) => {
        if (mine !== this.#connection) return;
        if (token === '' || token === refused) return tell({ type: 'token-refused' });
        this.#link = open({ after: this.cursor, token }, tell);
      },
      () => tell({ type: 'closed', code: 1006 }),
    );
  }

  #drop(): void {
    this.#connection += 1;
    this.#link?.drop();
    this.#link = undefined;
  }

  /** The machine moves its time on with every frame; a timer that fires early asks again. */
  #arm(): void {
    const at = dueAt(this.#state);
    if (this.#alarm !== undefined && at !== undefined && this.#alarm.at <= at) return;
    this.#alarm?.cancel();
    this.#alarm = undefined;
    if (at === undefined) return;
    const { world } = this.#options;
    const cancel = world.after(Math.max(0, at - world.now()), () => {
      this.#alarm = undefined;
      this.#tell({ type: 'due' });
    });
    this.#alarm = { at, cancel };
  }

  #notify(): void {
    const { status } = this;
    if (JSON.stringify(status) === JSON.stringify(this.#told)) return;
    this.#told = status;
    this.#call(() => this.#options.subscriber.status?.(status));
  }

  #end(): void {
    this.#alarm?.cancel();
    this.#alarm = undefined;
    this.#unwatch();
    this.#options.onClosed?.();
  }

  #call(work: () => void): void {
    try {
      work();
    } catch (cause) {
      this.#options.onError(cause);
    }
  }
}
