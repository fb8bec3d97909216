/** Which settled requests the next instance of their agent may look for, in every store. */
import type { Interaction } from '../protocol/schema/interaction.ts';

/** Without an instance no later one is distinguished from it, so nothing is kept for it. */
export function isUndelivered({ status, agentInstance, deliveredAt }: Interaction): boolean {
  return status === 'settled' && agentInstance !== undefined && deliveredAt === undefined;
}

/** Oldest first. */
export function bySettledAt(one: Interaction, other: Interaction): number {
  return (one.settledAt ?? 0) - (other.settledAt ?? 0);
}
