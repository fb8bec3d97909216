/**
 * `npm run simulate -- --seeds 500 --steps 200 --seed 0`
 *
 * Runs that many seeds from the given one. The first that finds something broken is told as a story,
 * shortened to the steps that matter, and the process ends with 1.
 */
import { parseArgs } from 'node:util';
import { play } from './play.ts';
import { shrink } from './shrink.ts';
import { storyOf } from './story.ts';
import { addTally, emptyTally, tallyText } from './tally.ts';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '500' },
    steps: { type: 'string', default: '200' },
    seed: { type: 'string', default: '0' },
    /** Only says what was found. */
    brief: { type: 'boolean', default: false },
  },
});
const [seeds, steps, first] = [values.seeds, values.steps, values.seed].map(Number);
if (seeds === undefined || steps === undefined || first === undefined) throw new Error('Not a run');

const sum = emptyTally();
const began = performance.now();
for (let seed = first; seed < first + seeds; seed += 1) {
  const story = storyOf(String(seed), steps);
  const { verdict, at, tally } = await play(String(seed), story);
  addTally(sum, tally);
  if (verdict === null) continue;
  process.exitCode = 1;
  console.log(`seed ${seed}, step ${at}: ${verdict.rule} is broken\n  ${verdict.evidence}`);
  if (!values.brief) console.log((await shrink(String(seed), story)).join('\n'));
  break;
}
const seconds = (performance.now() - began) / 1_000;
console.log(`${Math.round(sum.steps / seconds)} steps a second: ${tallyText(sum)}`);
