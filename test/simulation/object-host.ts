/**
 * An object of the platform: in memory only while in use, over storage that stays.
 *
 * Any call, message or alarm wakes the object. A crash loses its memory, its timers, its calls in progress, and every
 * write and reply that was not confirmed. An eviction happens only when no call is in progress, and loses memory alone.
 */
import { DiskFull, ObjectStorage } from './object-storage.ts';
import { Timers } from './timers.ts';
import type { Simulation } from './simulation.ts';

/** One instance in memory. Work that an earlier instance started has no effect any more. */
export interface Life {
  isOver: boolean;
}

export const CRASHES = [
  'nothing was written',
  'it was written, no caller knows',
  'only some callers know',
] as const;
export type Crash = (typeof CRASHES)[number];

interface Parts<Inner> {
  readonly name: string;
  /** A write that fails may be thrown at the caller, which retries. */
  readonly throwsWhenFull: boolean;
  begin(life: Life): Inner;
  /** Called after each event, to inspect the writes. */
  look(): void;
  /** Called when all writes are in storage, before any held reply leaves. */
  confirmed(): void;
  /** Called after a crash; `lost` if it lost the unconfirmed writes. */
  crashed(lost: boolean): void;
}

export class ObjectHost<Inner> {
  readonly storage: ObjectStorage;
  readonly timers = new Timers();
  /** Unanswered calls to other objects; the platform does not evict the object while there are any. */
  calling = 0;
  /** When the current instance started. */
  wokenAt = 0;
  readonly #simulation: Simulation;
  readonly #parts: Parts<Inner>;
  #inner: Inner | null = null;
  #life: Life = { isOver: false };
  readonly #asking = new Set<(cause: unknown) => void>();

  constructor(simulation: Simulation, parts: Parts<Inner>) {
    this.#simulation = simulation;
    this.#parts = parts;
    this.storage = new ObjectStorage(() => simulation.now);
  }

  get name(): string {
    return this.#parts.name;
  }

  get isAwake(): boolean {
    return this.#inner !== null;
  }

  get isIdle(): boolean {
    const { gate } = this.storage;
    return this.timers.size + this.calling + this.#asking.size === 0 && !gate.isClosed;
  }

  /** Returns the object, and loads it into memory if necessary. */
  wake(): Inner {
    if (this.#inner === null) this.wokenAt = this.#simulation.now;
    this.#inner ??= this.#parts.begin(this.#life);
    return this.#inner;
  }

  /** Calls the object; the answer arrives when the output gate releases it, or never. */
  serve<Result>(
    work: (inner: Inner) => Result | Promise<Result>,
    reply: (result: Result) => void,
    fail: (cause: unknown) => void,
  ): void {
    const life = this.#life;
    this.#asking.add(fail);
    const run = async () => work(this.wake());
    void run().then(
      (result) => {
        if (life.isOver) return;
        this.storage.gate.out(() => {
          this.#asking.delete(fail);
          reply(result);
        });
      },
      (cause: unknown) => {
        if (life.isOver) return;
        this.#asking.delete(fail);
        const isKnown = this.#parts.throwsWhenFull && cause instanceof DiskFull;
        this.#simulation.judge.hold(isKnown, 'I14', () => `${this.name} threw ${String(cause)}`);
        fail(cause);
      },
    );
  }

  look(): void {
    this.#parts.look();
  }

  confirm(): void {
    this.#parts.look();
    this.#parts.confirmed();
    this.storage.confirm();
  }

  evict(): void {
    this.#end();
    this.storage.alarm.reset();
  }

  crash(how: Crash, deliveredReplies: number): void {
    this.#parts.look();
    this.#end();
    const isLost = how === 'nothing was written';
    if (!isLost) this.#parts.confirmed();
    this.storage.crash(isLost ? null : { deliveredReplies });
    this.timers.clear();
    this.calling = 0;
    const asking = [...this.#asking];
    for (const fail of asking) fail(new Error('The object was reset'));
    this.#asking.clear();
    this.#parts.crashed(isLost);
  }

  #end(): void {
    this.#life.isOver = true;
    this.#life = { isOver: false };
    this.#inner = null;
  }
}
