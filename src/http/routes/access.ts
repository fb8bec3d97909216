/** Who may use a route of the workspace: administrators alone, or persons about themselves. */
import { actsAsAgent } from '../../protocol/caller.ts';
import { type Rejection, reject } from '../../protocol/errors.ts';
import type { Identity } from '../ports.ts';

export const BY_ADMIN = { in: 'workspace', anyOf: [] } as const;

/** A token of one session says nothing about its person beyond that session. */
export const BY_MEMBER = { in: 'workspace', anyOf: ['read', 'answer'] } as const;

/** `what` belongs to persons, for example "Quiet hours". */
export function agentProblem({ caller }: Identity, what: string): Rejection | undefined {
  return actsAsAgent(caller)
    ? reject('forbidden', `${what} belong to persons; an agent has none`)
    : undefined;
}
