/**
 * Sessions keep their own deadlines; this is for the alarm that never came.
 *
 * An interaction that is still open two minutes after its deadline means that its session slept
 * through it, so the session is poked: it looks at its deadlines and tells what it has not told. How
 * far a round got is stored, and the next goes on from there: sessions that fail every time must not
 * keep those behind them from ever being reached.
 */
import { attemptAll } from './attempt-all.ts';
import type { WorkspacePorts } from './ports.ts';

/** A session's own alarm, its retry and its report have all had their turn by then. */
export const SWEEP_GRACE_MS = 120_000;

/** Sessions a round; more at once would fall together on a platform that is in trouble already. */
const MAX_SESSIONS = 50;
/** One session can have 64 open; reading stops well before that many for each. */
const MAX_ROWS = 1_000;

/** Whether nothing was overdue, all of it was looked after, or more is left for another round. */
export type SweepResult = 'nothing' | 'all' | 'some';

export async function sweep(
  ports: Pick<WorkspacePorts, 'store' | 'sessions' | 'now' | 'warn'>,
): Promise<SweepResult> {
  const { sessions, warn } = ports;
  const { chosen, isCut } = chooseSessions(ports);
  if (chosen.length === 0) return 'nothing';
  const failures = await attemptAll(chosen, (sessionId) => sessions.poke(sessionId));
  const [first] = failures;
  if (first !== undefined) {
    const count = `${failures.length} of ${chosen.length} overdue sessions`;
    warn(`${count} could not be poked, ${first.target} among them; tried again later`, first.cause);
  }
  return isCut ? 'some' : 'all';
}

function chooseSessions({ store, now }: Pick<WorkspacePorts, 'store' | 'now'>) {
  const dueBy = now() - SWEEP_GRACE_MS;
  const from = store.inbox.sweptTo();
  let rows = store.inbox.overdue(dueBy, MAX_ROWS, from);
  if (rows.length === 0 && from !== undefined) rows = store.inbox.overdue(dueBy, MAX_ROWS);
  const chosen = new Set<string>();
  let last = from;
  let isCut = rows.length === MAX_ROWS;
  for (const row of rows) {
    if (chosen.size === MAX_SESSIONS && !chosen.has(row.sessionId)) {
      isCut = true;
      break;
    }
    chosen.add(row.sessionId);
    last = row;
  }
  const to = isCut ? last : undefined;
  if (to !== from) store.write(() => store.inbox.saveSweptTo(to));
  return { chosen: [...chosen], isCut };
}
