/**
 * One life of a real session over SQLite in memory, as the reports that it sends: created, asked, answered. Session,
 * decisions and reports are the code of the product; the clock is the simulation's.
 */
import { DatabaseSync } from 'node:sqlite';
import { nodeDatabase } from '../../src/platform/sqlite/database.ts';
import { SqliteSessionStore } from '../../src/platform/sqlite/session-store.ts';
import { openCommand } from '../../src/protocol/schema/command.ts';
import { readMigrations } from '../../test/support/read-migrations.ts';
import { SessionWorld } from '../../test/support/session-world.ts';
import { approval } from '../workloads/trip-actor.ts';

const MIGRATIONS = readMigrations('session');
const HOUR_S = 3_600;

/** The id in a template; every report of the simulation replaces it. */
export const TEMPLATE_ID = 'session-1';

export interface SessionLife {
  /** Reports as JSON. */
  readonly created: string;
  /** Empty in a batched life: the report of the answer has the question too. */
  readonly opened: string;
  readonly answered: string;
  /** Rows of the session and its alarm are counted under workerd; these are its bytes. */
  readonly bytes: number;
}

/** `answeredAt` is later than a report is held back, or `isBatched` sends question and answer in one report. */
export async function liveOnce(
  openedAt: number,
  answeredAt: number,
  isBatched = false,
): Promise<SessionLife> {
  const sqlite = new DatabaseSync(':memory:');
  const open = () => new SqliteSessionStore(nodeDatabase(sqlite), MIGRATIONS);
  const timeouts = { approval: HOUR_S, question: HOUR_S, plan_review: HOUR_S, form: HOUR_S };
  const world = new SessionWorld({ open }, { timeouts });
  const reportOf = async (): Promise<string> => {
    await world.session.waitForReport();
    const report = world.workspace.reports.at(-1);
    if (report === undefined) throw new Error('The session reported nothing');
    return JSON.stringify(report);
  };
  try {
    world.now = openedAt;
    world.must({ type: 'session.create' });
    const created = await reportOf();
    const asked = openCommand(approval('call-1'));
    if (!('type' in asked)) throw new Error(asked.message);
    world.must(asked);
    const opened = isBatched ? '' : await reportOf();
    world.now = answeredAt;
    world.must({
      type: 'interaction.answer',
      target: { interactionId: 'call-1~1' },
      answer: { decision: 'approve' },
    });
    const answered = await reportOf();
    const [size] = sqlite
      .prepare('SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size')
      .all() as { bytes: number }[];
    return { created, opened, answered, bytes: size?.bytes ?? 0 };
  } finally {
    sqlite.close();
  }
}
