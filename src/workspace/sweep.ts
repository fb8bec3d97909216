/**
 * The sweep finds sessions that missed a deadline. Sessions keep their own deadlines; the sweep covers a lost alarm.
 *
 * An interaction that is open two minutes after its deadline means that its session slept through the deadline. The
 * workspace pokes the session, which then settles overdue interactions and reports. The position of a sweep is stored,
 * and the next sweep continues from there: sessions that fail every time must not keep later sessions from their turn.
 */
import { attemptAll } from './attempt-all.ts';
import type { WorkspacePorts } from './ports.ts';

/** Long enough for the session's own alarm, its retry and its report. */
export const SWEEP_GRACE_MS = 120_000;

/** In one sweep; more calls at once would burden a platform that is failing already. */
const MAX_SESSIONS = 50;
/** One session can have 64 open interactions; reading stops well before 64 rows for each session. */
const MAX_ROWS = 1_000;

/** Nothing was overdue; every overdue session was poked; some are left for another sweep. */
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
