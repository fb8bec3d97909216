import { expect, it } from 'vitest';
import { countFor } from '../support/run-length.ts';

/** A project that runs in another mode would count short, and a full run would prove no more than a short one. */
it('counts long in the long run', () => {
  expect(countFor({ quick: 1, long: 2 })).toBe(2);
});
