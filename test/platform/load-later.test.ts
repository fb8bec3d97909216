/** A bug here looks like a part of the Worker that fails for good after one failure, or that is loaded for each use. */
import { expect, it } from 'vitest';
import { loadLater } from '../../src/platform/load-later.ts';

it('loads once, for uses at the same time too', async () => {
  let loads = 0;
  const load = loadLater(async () => ({ number: (loads += 1) }));
  expect(loads).toBe(0);
  const [first, second] = await Promise.all([load(), load()]);
  expect([first, second, await load()]).toEqual([{ number: 1 }, { number: 1 }, { number: 1 }]);
});

it('reports a failed load to each use that waited for it, and loads again with the next', async () => {
  let loads = 0;
  const load = loadLater(async () => {
    loads += 1;
    if (loads === 1) throw new Error('No memory');
    return loads;
  });
  const outcomes = await Promise.allSettled([load(), load()]);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await load()).toBe(2);
});
