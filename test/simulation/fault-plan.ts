/**
 * How bad a run is, drawn from its seed. Each run has some faults often and others never: what needs
 * a quiet minute between two faults would not be found where everything fails all the time.
 */
import type { Random } from '../support/random.ts';

export interface FaultPlan {
  /** Chances for each thing that could go wrong so. */
  readonly loseRequest: number;
  readonly loseReply: number;
  readonly duplicate: number;
  /** After something happened in an object that is not confirmed. */
  readonly crash: number;
  readonly breakWrite: number;
  /** Chances for what is due to happen before the next step. */
  readonly confirm: number;
  readonly arrive: number;
  readonly timer: number;
  readonly alarm: number;
  /** How many events a session reads of its log at once. */
  readonly readSize: number;
}

/** The chances that stand for something that happens or not. */
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
