/** Removes the steps without which a story still fails, and prints the remaining steps. */
import { type Played, play } from './play.ts';
import type { Step } from './story.ts';

export async function shrink(seed: string, story: readonly Step[]): Promise<string[]> {
  const first = await play(seed, story);
  const rule = first.verdict?.rule;
  const breaks = ({ verdict }: Played) => verdict !== null && verdict.rule === rule;
  let kept = story.filter((step) => step.number <= first.at);
  for (
    let size = Math.ceil(kept.length / 2);
    size >= 1;
    size = size === 1 ? 0 : Math.ceil(size / 2)
  ) {
    for (let from = kept.length - size; from > -size; from -= size) {
      const start = Math.max(from, 0);
      const shorter = kept.filter((_, index) => index < start || index >= from + size);
      if (breaks(await play(seed, shorter))) kept = shorter;
    }
  }
  const { story: told, verdict, at } = await play(seed, kept, { keepsStory: true });
  return [
    `${kept.length} of ${story.length} steps are enough:`,
    ...told,
    `at step ${at}: ${verdict?.rule}: ${verdict?.evidence}`,
    `to keep it: { seed: '${seed}', steps: ${JSON.stringify(kept.map((step) => [step.number, step.do]))} }`,
  ];
}
