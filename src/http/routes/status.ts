/** The state of the workspace, as the status page shows it. */
import { mayAct } from '../../protocol/caller.ts';
import { Status, type TargetStatus } from '../../protocol/schema/status.ts';
import type { TargetView } from '../../protocol/schema/target.ts';
import type { HttpPorts } from '../ports.ts';
import { route, WORKSPACE_TAG } from '../route.ts';

/** Each is a call to its object. */
const MAX_TARGETS_ASKED = 20;
const NEWEST_DELIVERIES = 20;

export const statusRoutes = [
  route({
    method: 'GET',
    path: '/v1/status',
    operationId: 'getStatus',
    tag: WORKSPACE_TAG,
    summary: 'Get what waits now, and for administrators agents, times to answer and failures',
    access: { in: 'workspace', anyOf: ['read'] },
    responses: { 200: { description: 'The state of the workspace', schema: Status } },
    async handle({ workspace, identity, ports }) {
      if (!mayAct(identity.caller, 'admin')) {
        return { status: 200, json: await workspace.openStatus() };
      }
      const [status, targets] = await Promise.all([workspace.status(), workspace.targets()]);
      return {
        status: 200,
        json: { ...status, targets: await failingTargets(targets, ports) },
      };
    },
  }),
];

async function failingTargets(
  targets: readonly TargetView[],
  ports: Pick<HttpPorts, 'findTarget' | 'warn'>,
): Promise<TargetStatus[]> {
  const shown = targets.slice(0, MAX_TARGETS_ASKED);
  const all = await Promise.all(
    shown.map(async ({ id, name, disabledAt }) => {
      const failed = await countFailures(id, ports);
      return { id, name: name ?? null, disabledAt, failed };
    }),
  );
  return all.filter(({ failed, disabledAt }) => failed > 0 || disabledAt !== null);
}

async function countFailures(
  id: string,
  { findTarget, warn }: Pick<HttpPorts, 'findTarget' | 'warn'>,
): Promise<number> {
  try {
    const target = await findTarget(id);
    const page = await target?.deliveries({ limit: NEWEST_DELIVERIES });
    if (page?.ok !== true) return 0;
    return page.value.deliveries.filter(
      ({ status, attempts }) => status === 'dead' || (status === 'pending' && attempts > 0),
    ).length;
  } catch (cause) {
    warn(`The deliveries of the target ${id} cannot be read`, cause);
    return 0;
  }
}
