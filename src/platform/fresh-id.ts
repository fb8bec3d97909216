/**
 * A name nobody has used, which sorts by when it was made (ULID).
 *
 * Names made in the same millisecond follow one another, so they can be guessed: they are no secrets.
 * The first one asks for chance, not the module: a Worker has none while it starts.
 */
import { monotonicFactory } from 'ulid';

const next = monotonicFactory(() => (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) / 2 ** 32);

export function freshId(): string {
  return next(Date.now());
}
