/** How long a connection waits for what. */

export interface Timing {
  /** For a connection to open, and again for its welcome. */
  readonly openMs: number;
  /** Silence after which the other side is asked whether it is there… */
  readonly quietMs: number;
  /** …and has so long to say so. Together a half-open connection is noticed within 30 seconds. */
  readonly pongMs: number;
  /** Delays are drawn from 0 to this, doubled with each connection lost in a row… */
  readonly baseMs: number;
  /** …up to this. */
  readonly capMs: number;
  /** A connection that lived so long was a good one, even if nothing happened meanwhile. */
  readonly stableMs: number;
}

export const TIMING: Timing = {
  openMs: 10_000,
  // Streams carry a comment every 15 seconds; less than that would ask every time.
  quietMs: 20_000,
  pongMs: 8_000,
  baseMs: 1_000,
  capMs: 30_000,
  stableMs: 5_000,
};

/** Full jitter: after a restart a thousand clients do not all come back in the same moment. */
export function backoff(
  attempt: number,
  chance: number,
  { baseMs, capMs }: Pick<Timing, 'baseMs' | 'capMs'>,
): number {
  return Math.floor(chance * Math.min(capMs, baseMs * 2 ** attempt));
}
