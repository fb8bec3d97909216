/** Which entries of the audit list a search finds. Every given part of a filter must fit. */
import type { AuditEntry, AuditFilter } from '../protocol/schema/workspace.ts';

export function matchesAuditFilter(entry: AuditEntry, filter: AuditFilter): boolean {
  const { who, what, session, outcome, from, to, text } = filter;
  return (
    (who === undefined || entry.subject === who) &&
    (what === undefined || entry.what === what) &&
    (session === undefined || entry.sessionId === session) &&
    (outcome === undefined || entry.outcome === outcome) &&
    (from === undefined || entry.at >= from) &&
    (to === undefined || entry.at < to) &&
    (text === undefined || hasText(entry, text))
  );
}

/** In any field that is text, in any case: a name, a tool, a reason, an id or the beginning of a digest. */
function hasText(entry: AuditEntry, text: string): boolean {
  const wanted = text.toLowerCase();
  const { by, scopes, ...fields } = entry;
  return [...Object.values(fields), ...Object.values(by ?? {}), ...(scopes ?? [])].some(
    (value) => typeof value === 'string' && value.toLowerCase().includes(wanted),
  );
}

/** Texts that the stored JSON of every entry that matches must hold; storage leaves out the others unread. */
export function exactParts({ who, what, session, outcome }: AuditFilter): string[] {
  return [who, what, session, outcome]
    .filter((value) => value !== undefined)
    .map((value) => JSON.stringify(value));
}
