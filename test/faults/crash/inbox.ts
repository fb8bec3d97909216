/** Reads the whole inbox and audit list of the workspace, without touching a session. */
import type { AuditEntry } from '../../../src/protocol/schema/workspace.ts';
import type { CrashContext } from './crash-context.ts';

export interface InboxSeen {
  readonly total: number;
  /** `session interaction`, and whether it is overdue. */
  readonly open: ReadonlyMap<string, boolean>;
}

export async function readInbox(context: CrashContext): Promise<InboxSeen> {
  const open = new Map<string, boolean>();
  let total = 0;
  let cursor: string | undefined;
  do {
    const after = cursor === undefined ? '' : `&after=${encodeURIComponent(cursor)}`;
    const { body } = await context.read(`/v1/inbox?limit=1000${after}`);
    total = body.total ?? -1;
    for (const { sessionId, interactionId, overdue } of body.interactions ?? []) {
      open.set(inboxKey(sessionId, interactionId), overdue === true);
    }
    cursor = body.next;
  } while (cursor !== undefined);
  return { total, open };
}

export function inboxKey(sessionId: string, interactionId: string): string {
  return `${sessionId} ${interactionId}`;
}

/** Settlements since then, by the same key. */
export async function readAudit(
  context: CrashContext,
  since: number,
): Promise<Map<string, AuditEntry>> {
  const settled = new Map<string, AuditEntry>();
  let cursor: string | undefined;
  do {
    const before = cursor === undefined ? '' : `&before=${encodeURIComponent(cursor)}`;
    const { body } = await context.read(`/v1/audit?limit=1000${before}`);
    const entries = body.entries ?? [];
    for (const entry of entries) {
      if (entry.what !== 'interaction' || entry.interactionId === undefined) continue;
      settled.set(inboxKey(entry.sessionId ?? '', entry.interactionId), entry);
    }
    const oldest = entries.at(-1);
    cursor = oldest !== undefined && oldest.at >= since ? body.next : undefined;
  } while (cursor !== undefined);
  return settled;
}
