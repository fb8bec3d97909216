/** One turn whose server is killed: the record of its observations, and the trigger of the kill. */
import type { SessionEvent } from '../../../src/protocol/schema/event.ts';
import type { Random } from '../../support/random.ts';
import type { Boundary, Point } from './boundaries.ts';
import { SCENES } from './scenes.ts';

export interface ModelRequest {
  readonly at: number;
  readonly body: unknown;
  readonly faults: readonly string[];
  readonly kills: number;
}

export interface Effect {
  readonly tool: string;
  readonly toolCallId: string;
  readonly isRepeat: boolean;
}

/** An acknowledged effect, which must not be lost. */
export interface Acknowledged {
  readonly interactionId: string;
  readonly toolName: string;
  readonly outcome: string;
}

export class Trial {
  readonly id: string;
  readonly boundary: Boundary;
  readonly number: number;
  readonly requests: ModelRequest[] = [];
  readonly effects: Effect[] = [];
  readonly acknowledged: Acknowledged[] = [];
  /** Accepted results of client tools. */
  readonly results: string[] = [];
  readonly problems: { readonly rule: string; readonly evidence: string }[] = [];
  /** Set at the end of the trial. */
  events: readonly SessionEvent[] = [];
  busyLeft: number;
  kills = 0;
  /** The turn ended before the pending kill. */
  wasOver = false;
  /** When its model or its tools last received a request. */
  lastRequestAt = 0;
  #passed = new Map<Point, number>();
  #isArmed = true;
  #fresh = 0;
  readonly #random: Random;
  readonly #kill: () => void;
  #fired!: () => void;
  /** Resolves when the pending kill is done. */
  fired: Promise<void>;

  constructor(
    id: string,
    boundary: Boundary,
    number: number,
    ports: { readonly random: Random; readonly kill: () => void },
  ) {
    this.id = id;
    this.boundary = boundary;
    this.number = number;
    this.#random = ports.random;
    this.#kill = ports.kill;
    this.busyLeft = SCENES[boundary.scene].busy ?? 0;
    this.fired = this.#nextFired();
  }

  get session(): string {
    return `trial-${this.id}`;
  }

  get mode() {
    const { modes } = SCENES[this.boundary.scene];
    return modes[this.number % modes.length] ?? 'acceptEdits';
  }

  /** Every fifth trial is left alone after its kill: only its alarm can resume the turn. */
  get isAlone(): boolean {
    const { goesOnAlone, showsInInbox } = this.boundary;
    return (goesOnAlone ?? showsInInbox) === true && this.number % 5 === 4;
  }

  /** Every third person who is asked whether a tool may run again says no. */
  get runsAgain(): boolean {
    return this.boundary.kills.length > 1 || this.number % 3 !== 1;
  }

  /** The kill is certain to happen, and may still be pending. */
  get isSprung(): boolean {
    return !this.#isArmed;
  }

  /** The server was killed during this turn. */
  get isHit(): boolean {
    return this.kills > 0 && !this.wasOver;
  }

  get areAllKillsDone(): boolean {
    return this.kills === this.boundary.kills.length;
  }

  freshId(prefix: string): string {
    this.#fresh += 1;
    return `${prefix}_${this.id}_${this.#fresh}`;
  }

  /** Reports an observation; if it triggers the kill, the server has received the signal when this returns. */
  pass(point: Point): void {
    const next = this.boundary.kills[this.kills];
    if (!this.#isArmed || next === undefined || next.point !== point) return;
    const count = (this.#passed.get(point) ?? 0) + 1;
    this.#passed.set(point, count);
    if (count < (next.nth ?? 1)) return;
    this.#isArmed = false;
    const kill = () => {
      this.kills += 1;
      this.#kill();
      this.#fired();
    };
    if (next.jitterMs === undefined) kill();
    else setTimeout(kill, this.#random.int(0, next.jitterMs));
  }

  /** Arms the next kill after a restart. */
  armAgain(): void {
    this.#passed = new Map();
    this.#isArmed = true;
    if (!this.areAllKillsDone) this.fired = this.#nextFired();
  }

  problem(rule: string, evidence: string): void {
    this.problems.push({ rule, evidence });
  }

  #nextFired(): Promise<void> {
    return new Promise((resolve) => {
      this.#fired = resolve;
    });
  }
}
