/**
 * The faults of a run, drawn from its seed. Each run has some faults often and other faults never: a bug that needs a
 * quiet minute between two faults would not be found if everything failed all the time.
 */
import type { Random } from '../support/random.ts';

export interface FaultPlan {
  /** The chance of a fault, for each opportunity. */
  readonly loseRequest: number;
  readonly loseReply: number;
  readonly duplicate: number;
  /** After an unconfirmed write of an object. */
  readonly crash: number;
  readonly breakWrite: number;
  /** The chances that a due event happens before the next step. */
  readonly confirm: number;
  readonly arrive: number;
  readonly timer: number;
  readonly alarm: number;
  /** How many events a session reads of its log at once. */
  readonly readSize: number;
}

/** The names of all chances. */
export type Fault = 'loseRequest' | 'loseReply' | 'duplicate' | 'crash' | 'breakWrite';

export function planFaults(random: Random): FaultPlan {
  const fault = (often: number) => (random.chance(0.3) ? 0 : random.pick([often / 4, often]));
  return {
    loseRequest: fault(0.15),
    loseReply: fault(0.2),
    duplicate: fault(0.2),
    crash: fault(0.15),
    breakWrite: fault(0.06),
    confirm: random.pick([0.3, 0.7, 0.95]),
    arrive: random.pick([0.3, 0.7, 0.95]),
    timer: random.pick([0.3, 0.7, 0.95]),
    alarm: random.pick([0.1, 0.5, 0.95]),
    readSize: random.pick([1, 3, 500]),
  };
}
