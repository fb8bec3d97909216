/** Plays numbered seeds until one breaks a rule, and shortens its story to the steps that matter. */
import { fail } from '../../scripts/lib/fail.ts';
import type { FaultReport } from '../faults/report.ts';
import { play } from './play.ts';
import { shrink } from './shrink.ts';
import { storyOf } from './story.ts';
import { type Tally, addTally, emptyTally, tallyText } from './tally.ts';

export interface SeedsOptions {
  readonly seeds: number;
  readonly steps: number;
  /** The number of the first seed. */
  readonly seed: string;
  /** Leaves out the story. */
  readonly isBrief: boolean;
  readonly print?: ((line: string) => void) | undefined;
}

export interface SeedsReport extends FaultReport {
  readonly seconds: number;
  readonly tally: Tally;
}

export async function runSeeds(options: SeedsOptions): Promise<SeedsReport> {
  const { seeds, steps, seed, isBrief, print } = options;
  const first = Number(seed);
  if (!Number.isInteger(first) || first < 0)
    fail('--seed of this harness is a number: the first seed, such as 1');
  const sum = emptyTally();
  const findings: FaultReport['findings'][number][] = [];
  const since = performance.now();
  for (let number = first; number < first + seeds && findings.length === 0; number += 1) {
    const story = storyOf(String(number), steps);
    const { verdict, at, tally } = await play(String(number), story);
    addTally(sum, tally);
    if (verdict === null) continue;
    findings.push({ ...verdict, session: '', when: `seed ${number}, step ${at}` });
    if (!isBrief) print?.((await shrink(String(number), story)).join('\n'));
  }
  return { seed, findings, seconds: (performance.now() - since) / 1_000, tally: sum };
}

export function seedsText({ findings, seconds, tally }: SeedsReport): string {
  const broken = findings.map(
    ({ rule, evidence, when }) => `${when}: ${rule} is broken\n  ${evidence}`,
  );
  const rate = Math.round(tally.steps / seconds);
  return [...broken, `${rate} steps a second: ${tallyText(tally)}`].join('\n');
}
