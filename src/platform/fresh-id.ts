/**
 * An unused id that sorts by its time of creation (ULID).
 *
 * Ids of the same millisecond follow one another, so they can be guessed: they are no secrets. Randomness is drawn for
 * the first id, not when the module loads: a Worker has none while it starts.
 */
import { monotonicFactory } from 'ulid';

const drawn = new Uint32Array(256);
let left = 0;

/** Drawn in advance: each draw is a call into the platform, and an id takes sixteen of them. */
function randomFraction(): number {
  if (left === 0) {
    crypto.getRandomValues(drawn);
    left = drawn.length;
  }
  left -= 1;
  return (drawn[left] ?? 0) / 2 ** 32;
}

const next = monotonicFactory(randomFraction);

export function freshId(): string {
  return next(Date.now());
}
