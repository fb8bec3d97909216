/** A bug here looks like a part of the Worker that fails for good after one failure, or that is loaded for each use. */
import { expect, it } from 'vitest';
import { loadLater } from '../../src/platform/load-later.ts';

it('gives every use the same part, uses at the same time too', async () => {
  let loads = 0;
  const load = loadLater(async () => ({ number: (loads += 1) }));
  expect(loads).toBe(0);
  const [first, second] = await Promise.all([load(), load()]);
  expect(second).toBe(first);
  const before = loads;
  expect(await load()).toBe(first);
  expect(loads).toBe(before);
});

it('reports a failed load, and loads again at the next use', async () => {
  let loads = 0;
  const load = loadLater(async () => {
    loads += 1;
    if (loads === 1) throw new Error('No memory');
    return { number: loads };
  });
  await expect(load()).rejects.toThrow('No memory');
  expect(await load()).toEqual({ number: 2 });
});
