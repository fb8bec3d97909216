/**
 * Stories kept for ever: what is left of a seed when every step that does not matter is left out.
 *
 * `npm run simulate` prints a failing one in this form. Each is named for what went wrong in it.
 */
import type { StepName } from './story.ts';

export interface Kept {
  readonly title: string;
  readonly seed: string;
  readonly steps: readonly (readonly [number: number, name: StepName])[];
}

export const KEPT: readonly Kept[] = [];
