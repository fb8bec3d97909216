/**
 * The deletion of old sessions, if the settings say so.
 *
 * The alarm looks at a few hundred sessions at a time, the longest idle first, and asks a few of them to delete
 * themselves. The session decides: it refuses if anything happened that the workspace does not know, or if a request is
 * open. So a lost report or an old row never deletes what a person still needs.
 */
import type { Retention, RetentionPreview } from '../protocol/schema/retention.ts';
import type { WorkspacePorts } from './ports.ts';
import type { ActivityKey, NumberedSession, WorkspaceStore } from './store.ts';
import { readWorkspaceSettings } from './settings.ts';

const DAY_IN_MS = 86_400_000;
/** A look at every session; each is old by days. */
const ROUND_EVERY_MS = 6 * 3_600_000;
const MORE_AFTER_MS = 10_000;
const MAX_LOOKED_AT = 500;
/** Each is a call that wakes an object, which then erases its rows. */
const MAX_DELETED = 20;
const MAX_PREVIEWED = 2_000;

type RetentionVerdict = 'delete' | keyof RetentionPreview['kept'];

export class SessionRetention {
  readonly #ports: Pick<WorkspacePorts, 'store' | 'sessions' | 'now' | 'warn'>;
  /** No round before this time. */
  #from: number;
  /** Where the round is; undefined at its beginning. */
  #after: ActivityKey | undefined;

  constructor(
    ports: Pick<WorkspacePorts, 'store' | 'sessions' | 'now' | 'warn'>,
    armedWithin: (ms: number) => number,
  ) {
    this.#ports = ports;
    this.#from = armedWithin(ROUND_EVERY_MS);
  }

  /** When the alarm is needed; null while sessions are kept for good. */
  get dueAt(): number | null {
    return readWorkspaceSettings(this.#ports.store).retention === undefined ? null : this.#from;
  }

  /** After a change of the settings. */
  restart(): void {
    this.#from = this.#ports.now();
    this.#after = undefined;
  }

  async run(): Promise<void> {
    const { store, now } = this.#ports;
    const { retention } = readWorkspaceSettings(store);
    if (retention === undefined || now() < this.#from) return;
    // Before the first call: what arrives during the call must not start another round.
    this.#from = now() + MORE_AFTER_MS;
    const before = now() - retention.days * DAY_IN_MS;
    const rows = store.sessions.listIdle(before, MAX_LOOKED_AT, this.#after);
    const chosen: NumberedSession[] = [];
    for (const row of rows) {
      if (chosen.length === MAX_DELETED) break;
      this.#after = row;
      if (judgeSession(store, row, retention) === 'delete') chosen.push(row);
    }
    const isOver = rows.length < MAX_LOOKED_AT && chosen.length < MAX_DELETED;
    await this.#delete(chosen);
    if (!isOver) return;
    this.#after = undefined;
    this.#from = now() + ROUND_EVERY_MS;
  }

  async #delete(rows: readonly NumberedSession[]): Promise<void> {
    const { sessions, warn } = this.#ports;
    let failures = 0;
    await Promise.all(
      rows.map(async ({ id, head }) => {
        try {
          await sessions.deleteIdle(id, head);
        } catch (cause) {
          failures += 1;
          if (failures === 1)
            warn(`The old session ${id} could not be deleted; tried again`, cause);
        }
      }),
    );
  }
}

/** What a retention would delete now, the longest idle first. */
export function previewRetention(
  store: WorkspaceStore,
  retention: Retention,
  now: number,
): RetentionPreview {
  const rows = store.sessions.listIdle(now - retention.days * DAY_IN_MS, MAX_PREVIEWED);
  const kept = { open: 0, pinned: 0, labelled: 0, notExported: 0 };
  const sessions: RetentionPreview['sessions'] = [];
  for (const row of rows) {
    const verdict = judgeSession(store, row, retention);
    if (verdict === 'delete')
      sessions.push({ id: row.id, title: row.title, activeAt: row.activeAt });
    else kept[verdict] += 1;
  }
  return { sessions, kept, isPartial: rows.length === MAX_PREVIEWED };
}

function judgeSession(
  store: WorkspaceStore,
  { id, open, head, about }: NumberedSession,
  { exportFirst, keepLabels = [] }: Retention,
): RetentionVerdict {
  if (open.size > 0) return 'open';
  if (keepLabels.some((name) => Object.hasOwn(about.labels ?? {}, name))) return 'labelled';
  if (store.pins.has(id)) return 'pinned';
  return exportFirst === true && store.exports.headOf(id) < head ? 'notExported' : 'delete';
}
