/**
 * The network between two objects, or between a client and an object. It delays messages, loses a request or only its
 * answer, and duplicates messages. A message arrives only when the run delivers it.
 */
import type { Simulation } from './simulation.ts';

interface Parcel {
  readonly readyAt: number;
  readonly what: string;
  readonly open: () => void;
}

interface Caller<Result> {
  reply(result: Result): void;
  fail(cause: unknown): void;
}

type Work<Result> = (reply: (result: Result) => void, fail: (cause: unknown) => void) => void;

const LATE_MS = 40_000;
/** The longest transit time: just below the time after which a caller gives up. */
export const LATEST_MS = 300_000;

export class Network {
  /** No message passes between sessions and the workspace. */
  isCut = false;
  readonly #simulation: Simulation;
  #parcels: Parcel[] = [];

  constructor(simulation: Simulation) {
    this.#simulation = simulation;
  }

  get size(): number {
    return this.#parcels.length;
  }

  get nextAt(): number | null {
    return this.#parcels.length === 0
      ? null
      : Math.min(...this.#parcels.map((parcel) => parcel.readyAt));
  }

  post(what: string, open: () => void): void {
    this.#parcels.push({ readyAt: this.#simulation.now + this.#delay(), what, open });
  }

  /** Sends a request and returns the answer, or an error, which leaves open whether the request took effect. */
  call<Result>(
    what: string,
    between: 'objects' | 'client',
    work: Work<Result>,
    to: Caller<Result>,
  ) {
    const { tally } = this.#simulation;
    const lost = () => to.fail(new Error('The connection was lost'));
    if (this.#loses('loseRequest', between)) {
      tally.lostRequests += 1;
      this.post(`${what}: lost`, lost);
      return;
    }
    const reply = (result: Result) => {
      if (this.#loses('loseReply', between)) {
        tally.lostReplies += 1;
        this.post(`${what}: the answer is lost`, lost);
      } else {
        this.post(`${what}: the answer`, () => to.reply(result));
      }
    };
    this.post(what, () => work(reply, (cause) => this.post(what, () => to.fail(cause))));
    const doubles = between === 'objects' && this.#simulation.happens('duplicate');
    if (!doubles) return;
    tally.duplicates += 1;
    const readyAt = this.#simulation.now + this.#simulation.random.int(1, LATE_MS);
    const ignoreReply = () => undefined;
    this.#parcels.push({
      readyAt,
      what: `${what} again`,
      open: () => work(ignoreReply, ignoreReply),
    });
  }

  /** Removes and returns a random message among those due by now. */
  take(): Parcel | undefined {
    const { now, random } = this.#simulation;
    const ready = this.#parcels.filter((parcel) => parcel.readyAt <= now);
    const chosen = random.pick(ready);
    if (chosen !== undefined) this.#parcels = this.#parcels.filter((parcel) => parcel !== chosen);
    return chosen;
  }

  #loses(what: 'loseRequest' | 'loseReply', between: 'objects' | 'client'): boolean {
    return (this.isCut && between === 'objects') || this.#simulation.happens(what);
  }

  #delay(): number {
    const { random, isCalm } = this.#simulation;
    if (isCalm) return 1;
    if (random.chance(0.9)) return random.int(1, 60);
    return random.chance(0.9) ? random.int(60, LATE_MS) : random.int(LATE_MS, LATEST_MS);
  }
}
