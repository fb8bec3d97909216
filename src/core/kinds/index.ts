/** The kinds of this deployment; a new kind is a module in this folder and a line here. */
import type { Kind, KindRegistry } from './kind.ts';
import { approval } from './approval.ts';
import { form } from './form.ts';
import { linkToOpen } from './link.ts';
import { planReview } from './plan-review.ts';
import { question } from './question.ts';

export function indexKinds(...kinds: readonly Kind[]): KindRegistry {
  return new Map(kinds.map((kind) => [kind.name, kind]));
}

export const KINDS: KindRegistry = indexKinds(approval, question, planReview, form, linkToOpen);
