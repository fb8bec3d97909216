/**
 * A name nobody has used, which sorts by when it was made (ULID).
 *
 * Names made in the same millisecond follow one another, so they can be guessed: they are no secrets.
 * The first one asks for chance, not the module: a Worker has none while it starts.
 */
import { monotonicFactory } from 'ulid';

const drawn = new Uint32Array(256);
let left = 0;

/** Drawn in advance: each draw is a call into the platform, and a name takes sixteen of them. */
function chance(): number {
  if (left === 0) {
    crypto.getRandomValues(drawn);
    left = drawn.length;
  }
  left -= 1;
  return (drawn[left] ?? 0) / 2 ** 32;
}

const next = monotonicFactory(chance);

export function freshId(): string {
  return next(Date.now());
}
