/** The labels of a session as short marks: what distinguishes production from everything else comes first. */
import { visibleText } from '../../protocol/escapes.ts';
import type { Labels } from '../../protocol/schema/audience.ts';

export interface LabelChip {
  readonly text: string;
  readonly isProduction: boolean;
}

const ENVIRONMENT = /^(?:env|environment|stage)$/i;
const PRODUCTION = /^(?:prod|production|live)\b/i;
/** More are read by no one, and take the place of the command. */
const CHIPS_SHOWN = 4;

/** The environment by its value alone, the other labels with their names. */
export function labelChips(labels: Labels = {}): readonly LabelChip[] {
  return Object.entries(labels)
    .map(([name, value]) => ({ name, value, isEnvironment: ENVIRONMENT.test(name) }))
    .toSorted(
      (one, other) =>
        Number(other.isEnvironment) - Number(one.isEnvironment) || (one.name < other.name ? -1 : 1),
    )
    .slice(0, CHIPS_SHOWN)
    .map(({ name, value, isEnvironment }) => ({
      text: visibleText(value === '' ? name : isEnvironment ? value : `${name}=${value}`),
      isProduction: isEnvironment && PRODUCTION.test(value),
    }));
}

/** The same text for the same labels, in whatever order they were written. */
export function labelsKey(labels: Labels = {}): string {
  return JSON.stringify(
    Object.entries(labels).toSorted(([one], [other]) => (one < other ? -1 : 1)),
  );
}

export interface CountedChip extends LabelChip {
  readonly count: number;
}

/** The chips of several sessions, each with the number of its requests. */
export function countChips(all: readonly (Labels | undefined)[]): readonly CountedChip[] {
  const found = new Map<string, CountedChip>();
  for (const chip of all.flatMap(labelChips)) {
    const count = (found.get(chip.text)?.count ?? 0) + 1;
    found.set(chip.text, { ...chip, count });
  }
  return [...found.values()]
    .toSorted((one, other) => Number(other.isProduction) - Number(one.isProduction))
    .slice(0, CHIPS_SHOWN);
}
