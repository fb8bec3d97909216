/** Which settled requests the next instance of their agent may look for (ADP-2). */
import type { Interaction } from '../protocol/schema/interaction.ts';

const ANSWERS: ReadonlySet<string | null> = new Set(['approved', 'denied', 'answered']);

/** Without an instance no later one is distinguished from it, so nothing is kept for it. */
export function isUnacknowledged({
  agentInstance,
  outcome,
  defaulted = false,
  acknowledgedAt,
}: Interaction): boolean {
  const isAnswer = ANSWERS.has(outcome) && !defaulted;
  return isAnswer && agentInstance !== undefined && acknowledgedAt === undefined;
}

/** Oldest first. */
export function bySettledAt(one: Interaction, other: Interaction): number {
  return (one.settledAt ?? 0) - (other.settledAt ?? 0);
}
