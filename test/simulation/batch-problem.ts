/**
 * A batch in the log: the openings that were not refused are there, in one commit, and the refused ones are not. A bug
 * would look like half a batch after a crash, or like an opening that is asked although its sender read a refusal.
 */
import type { OpeningResult } from './normalize.ts';
import type { SessionModel } from './session-model.ts';

export function batchProblem(
  { marks }: Pick<SessionModel, 'marks'>,
  openingMarks: readonly (string | undefined)[],
  results: readonly OpeningResult[],
): string | undefined {
  const commits = new Set<number>();
  for (const [index, mark] of openingMarks.entries()) {
    if (mark === undefined) continue;
    const found = marks.get(mark) ?? [];
    const isMeant = results[index]?.ok === true;
    if (isMeant !== found.length > 0) {
      return `opening ${index} is ${isMeant ? 'accepted' : 'refused'}, and ${found.length} times in the log`;
    }
    for (const { commit } of found) commits.add(commit);
  }
  return commits.size > 1 ? `it is in the commits ${[...commits].join(' and ')}` : undefined;
}
