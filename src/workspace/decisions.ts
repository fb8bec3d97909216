/** What was decided, newest first: the decisions among the audit entries, with the titles that their sessions have now. */
import * as z from 'zod';
import type { ReadResult } from '../protocol/errors.ts';
import { pageSize, readCursor, writeCursor } from '../protocol/schema/cursor.ts';
import { DecisionEntry } from '../protocol/schema/workspace.ts';
import type { DecisionsPage } from '../protocol/types.ts';
import { parseStored } from './parse-stored.ts';
import type { Decider, PageQuery } from './ports.ts';
import type { WorkspaceStore } from './store.ts';
import { scanAudit } from './scan-audit.ts';

const DecisionsCursor = z.tuple([z.literal('decisions'), z.int()]);

/** A later version may have written more fields; the known ones are still true. */
const StoredDecision = DecisionEntry.omit({ sessionTitle: true }).strip();

export function listDecisions(
  store: WorkspaceStore,
  page: PageQuery,
  decider: Decider | undefined,
  warn: (message: string, evidence: unknown) => void,
): ReadResult<DecisionsPage> {
  const cursor = readCursor(DecisionsCursor, page.before);
  if (!cursor.ok) return cursor;
  const scan = {
    before: cursor.value?.[1],
    bottom: 1,
    size: pageSize(page.limit),
    parts:
      decider === undefined
        ? []
        : [decider.subject, decider.key].map((text) => JSON.stringify(text)),
  };
  const { entries, next } = scanAudit(store.audit, scan, (row) => {
    const stored = parseStored(row.entry);
    if (!isDecision(stored, decider)) return undefined;
    const read = StoredDecision.safeParse(stored).data;
    // A gap with a warning is better than a guess at who decided.
    if (read === undefined) warn('A decision cannot be read and is left out of the page', row);
    return read;
  });
  const titles = new Map<string, string | null>();
  const titleOf = (sessionId: string) => {
    const known = titles.get(sessionId) ?? store.sessions.find(sessionId)?.title ?? null;
    titles.set(sessionId, known);
    return known;
  };
  const decisions = entries.map((read) => ({ ...read, sessionTitle: titleOf(read.sessionId) }));
  const further = next === undefined ? {} : { next: writeCursor(['decisions', next]) };
  return { ok: true, value: { decisions, ...further } };
}

const DecidingEntry = z.object({
  what: z.enum(['interaction', 'gate']),
  subject: z.unknown().optional(),
  by: z.object({ key: z.unknown().optional() }).optional().catch(undefined),
});

function isDecision(stored: unknown, decider: Decider | undefined): boolean {
  const entry = DecidingEntry.safeParse(stored).data;
  if (entry === undefined || decider === undefined) return entry !== undefined;
  return entry.subject === decider.subject && entry.by?.key === decider.key;
}
