/**
 * Counts the billed operations of the platform: rows written, index rows included, and alarms moved, which
 * are one more row each. The objects count for themselves, from their last wake; a test must not evict an
 * object between.
 */
import { must } from './api.ts';
import { type TestSession, askAs, sessionStub, workspaceStub } from './session.ts';
import { until } from './until.ts';

export interface Cost {
  readonly session: number;
  readonly sessionAlarm: number;
  readonly workspace: number;
  readonly workspaceAlarm: number;
}

async function spent(session: TestSession): Promise<Cost> {
  const [own, workspace] = await Promise.all([
    sessionStub(session).costs(),
    workspaceStub(session.workspace).costs(),
  ]);
  return {
    session: own.rowsWritten,
    sessionAlarm: own.alarmMoves,
    workspace: workspace.rowsWritten,
    workspaceAlarm: workspace.alarmMoves,
  };
}

export async function costOf(session: TestSession, work: () => Promise<unknown>): Promise<Cost> {
  const { cost } = await costsOf(session, { cost: work });
  return cost;
}

/**
 * Of steps that follow one another, each from the same reading with which the one before ended: between two readings the
 * workspace may write a report, which then counts in neither.
 */
export async function costsOf<Step extends string>(
  session: TestSession,
  steps: Readonly<Record<Step, () => Promise<unknown>>>,
): Promise<Readonly<Record<Step, Cost>>> {
  const costs: Partial<Record<Step, Cost>> = {};
  let before = await spent(session);
  for (const step of Object.keys(steps) as Step[]) {
    await steps[step]();
    const after = await spent(session);
    costs[step] = difference(before, after);
    before = after;
  }
  return costs as Record<Step, Cost>;
}

function difference(before: Cost, after: Cost): Cost {
  return {
    session: after.session - before.session,
    sessionAlarm: after.sessionAlarm - before.sessionAlarm,
    workspace: after.workspace - before.workspace,
    workspaceAlarm: after.workspaceAlarm - before.workspaceAlarm,
  };
}

export function total(...costs: readonly Cost[]): number {
  return costs.reduce((sum, cost) => sum + Object.values(cost).reduce((a, b) => a + b, 0), 0);
}

/** Waits until the workspace has received every report of the session. */
export async function told(session: TestSession): Promise<void> {
  const ask = askAs(session);
  const { head } = await must('GET', session.path, ask);
  await until(async () => {
    const { sessions } = await must('GET', '/v1/sessions?limit=1000', ask);
    return sessions?.some((one) => one.id === session.id && one.head === head) === true;
  });
}
