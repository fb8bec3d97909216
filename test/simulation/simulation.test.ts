/**
 * Whole runs from a seed: sessions, a workspace, clients and all faults between them. A failing seed is printed as a
 * story by `npm run faults -- simulate --seeds 1 --seed <seed>`.
 */
import { describe, expect, it } from 'vitest';
import { countFor } from '../support/run-length.ts';
import { PLANTED } from './planted.ts';
import { play } from './play.ts';
import { KEPT } from './seeds.ts';
import { storyOf } from './story.ts';
import { addTally, emptyTally } from './tally.ts';

const STEPS = 200;
const SEEDS = countFor({ quick: 12, long: 300 });
const AT_ONCE = Math.min(25, SEEDS);
const TIMEOUT_MS = 120_000;

const firsts = Array.from({ length: SEEDS / AT_ONCE }, (_, index) => index * AT_ONCE);

describe('runs from seeds', () => {
  const sum = emptyTally();

  it.each(firsts)(
    '[LOG-3] [LOG-4] [INT-6] [INT-8] [INT-20] [TIME-3] [OUT-2] [BOX-3] all that was promised holds from seed %i on',
    async (first) => {
      for (let seed = first; seed < first + AT_ONCE; seed += 1) {
        const { verdict, at, tally } = await play(String(seed), storyOf(String(seed), STEPS));
        addTally(sum, tally);
        expect(verdict, `seed ${seed}, step ${at}`).toBeNull();
      }
    },
    TIMEOUT_MS,
  );

  it('covers every kind of fault', () => {
    for (const [what, count] of Object.entries(sum)) {
      expect(count, `${what} in ${SEEDS} runs`).toBeGreaterThan(SEEDS / 2);
    }
  });
});

describe('stories that once told of a bug', () => {
  it.each(KEPT)('$title', async ({ seed, steps }) => {
    const story = steps.map(([number, name]) => ({ number, do: name, seed: `${seed}/${number}` }));
    const { verdict } = await play(seed, story);
    expect(verdict).toBeNull();
  });
});

describe('planted faults', () => {
  it.each(Object.entries(PLANTED))(
    'are found when %s',
    async (_, planted) => {
      for (let seed = 0; seed < 100; seed += 1) {
        const { verdict } = await play(String(seed), storyOf(String(seed), STEPS), { planted });
        if (verdict !== null) return;
      }
      expect.fail('100 runs found nothing');
    },
    TIMEOUT_MS,
  );
});
