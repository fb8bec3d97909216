/** The facts of a decision, beside state and command; and the callers that act without a request. */
import type { SessionAddress } from '../core/evolve.ts';
import type { KindRegistry } from '../core/kinds/kind.ts';
import type { RunCommand } from '../agent/run/run.ts';
import type { RunFacts } from '../agent/run/run-draft.ts';
import { newestPlan } from '../agent/tools/person-tools.ts';
import { toolUsesIn } from '../agent/message.ts';
import type { Context } from '../protocol/schema/command.ts';
import type { Interaction } from '../protocol/schema/interaction.ts';
import type { SessionPorts } from './ports.ts';

/** The caller of deadlines. */
export const CLOCK_CONTEXT: Context = {
  caller: { credential: 'system', subject: 'system', via: 'timeout', scopes: ['admin'] },
  timeouts: {},
};

/** The built-in agent, when its turn goes on without a request. */
const AGENT_CONTEXT: Context = {
  caller: { credential: 'system', subject: 'system', via: 'system', scopes: ['admin'] },
  timeouts: {},
};

export interface SessionContext {
  readonly address: SessionAddress;
  readonly kinds: KindRegistry;
  readonly ports: SessionPorts;
}

export function factsFor(
  { address, kinds, ports }: SessionContext,
  {
    caller,
    timeouts,
    forbidSelfApproval,
    permissionMode,
    membership,
    voters,
    audienceRules,
    workspaceRules,
  }: Context,
  now: number,
  record?: Interaction,
): RunFacts {
  return {
    now,
    freshId: ports.freshId(),
    caller,
    timeouts,
    ...(forbidSelfApproval !== undefined && { forbidSelfApproval }),
    ...(permissionMode !== undefined && { permissionMode }),
    ...(membership !== undefined && { membership }),
    ...(voters !== undefined && { voters }),
    ...(audienceRules !== undefined && { audienceRules }),
    ...(workspaceRules !== undefined && { workspaceRules }),
    kinds,
    address,
    isModelConfigured: ports.agent?.model !== undefined,
    allowPrivateTools: ports.agent?.allowPrivateTools === true,
    ...(record !== undefined && { record }),
  };
}

/** What the workspace decides about the calls of a run. */
export type RunRules = Pick<Context, 'audienceRules' | 'workspaceRules'> & Pick<RunFacts, 'prices'>;

/** Reads the plan file only for an answer that calls ExitPlanMode. */
export function factsForRun(
  context: SessionContext,
  command: RunCommand,
  now: number,
  rules: RunRules,
): RunFacts {
  const { store } = context.ports;
  const record = 'toolCallId' in command ? store.latestRecord(command.toolCallId) : undefined;
  const { prices, ...asked } = rules;
  const facts: RunFacts = {
    ...factsFor(context, { ...AGENT_CONTEXT, ...asked }, now, record),
    ...(prices && { prices }),
  };
  if (command.type !== 'model.answered') return facts;
  const asksForReview = toolUsesIn(command.message).some(({ name }) => name === 'ExitPlanMode');
  return asksForReview ? { ...facts, plan: newestPlan(store.files) } : facts;
}
