/** The one alarm of a session; it goes off when the world says so. */
import type { SessionAlarm } from '../../src/session/ports.ts';

export class FakeAlarm implements SessionAlarm {
  armedAt: number | null = null;
  /** Every time it was moved to. */
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
