/**
 * An object of the platform: in memory only while somebody needs it, over storage that stays.
 *
 * It is woken by whatever reaches it. A crash takes its memory, its timers and what was under way,
 * and of what it wrote and said whatever was not confirmed; an eviction, which comes only when
 * nothing is under way, takes its memory alone.
 */
import { DiskFull, ObjectStorage } from './object-storage.ts';
import { Timers } from './timers.ts';
import type { Simulation } from './simulation.ts';

/** One stay in memory. What began in one that is over reaches nobody any more. */
export interface Life {
  isOver: boolean;
}

export const CRASHES = [
  'nothing was written',
  'it was written, nobody heard',
  'only some heard',
] as const;
export type Crash = (typeof CRASHES)[number];

interface Parts<Inner> {
  readonly name: string;
  /** A write that fails may be thrown at whoever asked; he asks again. */
  readonly throwsWhenFull: boolean;
  begin(life: Life): Inner;
  /** Something happened: look at what was written. */
  look(): void;
  /** All of it is in storage now, and nobody has heard of it yet. */
  confirmed(): void;
  /** A crash is over; `lost` when it took what was not confirmed. */
  crashed(lost: boolean): void;
}

export class ObjectHost<Inner> {
  readonly storage: ObjectStorage;
  readonly timers = new Timers();
  /** Calls to others that are not answered; the object is not put to sleep meanwhile. */
  calling = 0;
  /** When its present stay in memory began. */
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

  /** The object, in memory from now on. */
  wake(): Inner {
    if (this.#inner === null) this.wokenAt = this.#simulation.now;
    this.#inner ??= this.#parts.begin(this.#life);
    return this.#inner;
  }

  /** Somebody asks and waits for the answer, which comes when the gate lets it out, or never. */
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

  crash(how: Crash, heard: number): void {
    this.#parts.look();
    this.#end();
    const isLost = how === 'nothing was written';
    if (!isLost) this.#parts.confirmed();
    this.storage.crash(isLost ? null : { heard });
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
