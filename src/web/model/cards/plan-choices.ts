/** The four decisions on a plan, each with its effect in a sentence (PLN-2, PLN-3). */
import type { PlanDecision } from '../../../client/transport.ts';
import type { Interaction, JsonObject } from '../../../protocol/types.ts';
import { t } from '../language.ts';

export interface PlanChoice {
  readonly decision: PlanDecision;
  readonly name: string;
  readonly effect: string;
}

export const planChoices = (): readonly PlanChoice[] => [
  {
    decision: 'edit',
    name: t('Approve, auto-accept edits'),
    effect: t('The agent remembers the conversation and may change files without asking.'),
  },
  {
    decision: 'clean_edit',
    name: t('Approve with a fresh context'),
    effect: t('The agent keeps nothing but this plan and may change files without asking.'),
  },
  {
    decision: 'default',
    name: t('Approve, ask before each edit'),
    effect: t('The agent keeps nothing but this plan and asks before each change.'),
  },
  {
    decision: 'adjust',
    name: t('Request changes'),
    effect: t('The agent goes on planning with what you write.'),
  },
];

export function readPlan({ plan }: JsonObject): string {
  return typeof plan === 'string' && plan.trim() !== '' ? plan : t('The agent sent no plan text.');
}

/** The decision that a settled plan got. */
export function chosenPlanDecision({ outcome, decision }: Interaction): PlanChoice | undefined {
  const name = outcome === 'denied' ? 'adjust' : approvedAs(decision);
  return planChoices().find((choice) => choice.decision === name);
}

function approvedAs(decision: Interaction['decision']): PlanDecision | undefined {
  if (decision === undefined) return undefined;
  if (decision.targetMode === 'default') return 'default';
  return decision.clearContext === true ? 'clean_edit' : 'edit';
}
