/** What was decided, newest first: the decisions among the audit entries, with the titles that their sessions have now. */
import * as z from 'zod';
import type { ReadResult } from '../protocol/errors.ts';
import { cutPage, pageSize, readCursor } from '../protocol/schema/cursor.ts';
import { DecisionEntry } from '../protocol/schema/workspace.ts';
import type { DecisionsPage } from '../protocol/types.ts';
import { parseStored } from './parse-stored.ts';
import type { Decider, PageQuery, WorkspaceStore } from './ports.ts';

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
  const size = pageSize(page.limit);
  const found = store.audit.listDecisions(size + 1, decider, cursor.value?.[1]);
  const { rows, ...next } = cutPage(found, size, (last) => ['decisions', last.number]);
  const titles = new Map<string, string | null>();
  const titleOf = (sessionId: string) => {
    const known = titles.get(sessionId) ?? store.sessions.find(sessionId)?.title ?? null;
    titles.set(sessionId, known);
    return known;
  };
  const decisions = rows.flatMap((row) => {
    const read = StoredDecision.safeParse(parseStored(row.entry)).data;
    // A gap with a warning is better than a guess at who decided.
    if (read === undefined) warn('A decision cannot be read and is left out of the page', row);
    return read === undefined ? [] : { ...read, sessionTitle: titleOf(read.sessionId) };
  });
  return { ok: true, value: { decisions, ...next } };
}
