/**
 * ExitPlanMode: the four decisions of a plan review, as permissions of the SDK.
 *
 * | decision | the SDK gets |
 * |---|---|
 * | `edit` | allow, mode `acceptEdits` for this session |
 * | `clean_edit` | the same; the host hears `clearContext` |
 * | `default` | allow, mode `default` for this session; the host hears `clearContext` |
 * | `adjust` | deny, with the feedback as its message; plan mode goes on |
 */
import type { PlanOutcome } from '../../client/agent/outcomes.ts';
import type { ApprovedPlan } from './options.ts';
import type { PermissionResult } from './sdk-types.ts';

export function planOf({ plan }: Readonly<Record<string, unknown>>): string | undefined {
  return typeof plan === 'string' && plan.trim() !== '' ? plan : undefined;
}

type Approved = Extract<PlanOutcome, { outcome: 'approved' }>;

export function approvedPlan(
  input: Record<string, unknown>,
  { permissionMode: mode }: Pick<Approved, 'permissionMode'>,
): PermissionResult {
  return {
    behavior: 'allow',
    updatedInput: input,
    updatedPermissions: [{ type: 'setMode', mode, destination: 'session' }],
  };
}

export function planForHost(plan: string | undefined, outcome: Approved): ApprovedPlan {
  const { clearContext, permissionMode } = outcome;
  return { plan, clearContext, permissionMode };
}
