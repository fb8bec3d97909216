/** The times of a connection, and the delay before a repeat. */

export interface Timing {
  /** Time for a connection to open, and again for its welcome. */
  readonly openMs: number;
  /** Silence before a ping. */
  readonly quietMs: number;
  /** Time for an answer to the ping. With `quietMs`, a half-open connection is detected within 30 seconds. */
  readonly pongMs: number;
  /** A delay is random from 0 to `baseMs`, which doubles with each lost connection in a row. */
  readonly baseMs: number;
  /** The upper bound of that range. */
  readonly capMs: number;
  /** A connection that lasts so long is a success, even without an event. */
  readonly stableMs: number;
}

export const TIMING: Timing = {
  openMs: 10_000,
  // Streams carry a comment every 15 seconds; a smaller value would send a ping each time.
  quietMs: 20_000,
  pongMs: 8_000,
  baseMs: 1_000,
  capMs: 30_000,
  stableMs: 5_000,
};

/** Full jitter: after a restart of the server, a thousand clients do not reconnect in the same moment. */
export function backoff(
  attempt: number,
  chance: number,
  { baseMs, capMs }: Pick<Timing, 'baseMs' | 'capMs'>,
): number {
  return Math.floor(chance * Math.min(capMs, baseMs * 2 ** attempt));
}
