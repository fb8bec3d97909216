/** The one alarm of a session; the test fires it. */
import type { SessionAlarm } from '../../src/session/ports.ts';

export class FakeAlarm implements SessionAlarm {
  armedAt: number | null = null;
  /** Every time for which the session set the alarm. */
  readonly moves: number[] = [];
  readonly #trace: string[];

  constructor(trace: string[] = []) {
    this.#trace = trace;
  }

  arm(at: number): void {
    this.#trace.push('arm');
    this.armedAt = at;
    this.moves.push(at);
  }
}
