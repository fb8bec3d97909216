/**
 * The inbox: everything open in the workspace, oldest deadline first, then what has none, oldest first.
 *
 * Pages come in the order of the stored key: first what is within the share of whoever asked, then what is beyond
 * (`shares.ts`). Within a page the oldest deadline stands first whichever of the two it is.
 *
 * It shows what it was told and nothing less. An entry that was written by another version of this
 * program is shown with what can be read of it: leaving it out would say "all clear" to somebody
 * whom an agent is waiting for. The deadline moves an entry, so one that gets more time while
 * somebody turns pages can be seen a second time further back; none is ever skipped.
 */
import type { InboxPage } from '../protocol/types.ts';
import * as z from 'zod';
import { Opener } from '../protocol/schema/actor.ts';
import { readCursor } from '../protocol/schema/cursor.ts';
import { parseInteractionId } from '../protocol/ids.ts';
import {
  JsonObjectSchema,
  KindName,
  Presentation,
  ToolName,
} from '../protocol/schema/interaction.ts';
import type { JsonObject } from '../protocol/json.ts';
import type { InboxEntry } from '../protocol/schema/workspace.ts';
import { cutPage, pageSize } from './cut-page.ts';
import type { InboxKey, OpenInteractionRow, PageQuery, WorkspaceStore } from './ports.ts';
import type { ReadResult } from '../protocol/result.ts';

/** Stands behind every deadline: the last instant a JavaScript date can be. Later ones are in the order of asking. */
export const NO_DEADLINE = 8_640_000_000_000_000;

const BEYOND_SHARE = 1;

export function dueAtOf({
  expiresAt,
  openedAt,
}: Pick<InboxEntry, 'expiresAt' | 'openedAt'>): number {
  return expiresAt ?? NO_DEADLINE + openedAt;
}

/** Without the title of the session, which may change while the interaction stays as it is. */
export function storedEntry(entry: InboxEntry): string {
  return JSON.stringify({ ...entry, sessionTitle: undefined });
}

const WITHIN_SHARE = [z.literal('inbox'), z.int(), z.string(), z.string()] as const;
/** The shorter one is also what cursors were before there were shares. */
const InboxCursor = z.union([
  z.tuple(WITHIN_SHARE),
  z.tuple([...WITHIN_SHARE, z.literal(BEYOND_SHARE)]),
]);

export function listInbox(
  store: WorkspaceStore,
  page: PageQuery,
  at: { total: number; now: number },
): ReadResult<InboxPage> {
  const place = readCursor(InboxCursor, page.after);
  if (!place.ok) return place;
  const size = pageSize(page.limit);
  const found = store.inbox.list(size + 1, cursorKey(place.value));
  const { rows, ...next } = cutPage(found, size, (last) => [
    'inbox',
    last.dueAt,
    last.sessionId,
    last.interactionId,
    ...(last.beyondShare ? [BEYOND_SHARE] : []),
  ]);
  const interactions = rows.toSorted(byDeadline).map(inboxEntry);
  return { ok: true, value: { interactions, ...next, ...at } };
}

function cursorKey(place: z.output<typeof InboxCursor> | undefined): InboxKey | undefined {
  if (place === undefined) return undefined;
  const [, dueAt, sessionId, interactionId, beyond] = place;
  return { beyondShare: beyond === BEYOND_SHARE, dueAt, sessionId, interactionId };
}

/** The sort is stable, and what is due at once is in order already. */
function byDeadline(one: OpenInteractionRow, other: OpenInteractionRow): number {
  return one.dueAt - other.dueAt;
}

/** Every field by itself: one that cannot be read does not take the others with it. */
const ReadableEntry = z.object({
  toolName: ToolName.catch('unknown'),
  kind: KindName.catch('unknown'),
  presentation: Presentation.catch('tool'),
  request: JsonObjectSchema.nullable().catch(null),
  inputDigest: z.string().catch(''),
  openedAt: z.number().catch(0),
  openedBy: Opener.catch({ credential: '', subject: '' }),
  overdue: z.literal(true).optional().catch(undefined),
});

function inboxEntry(row: OpenInteractionRow): InboxEntry {
  const { sessionId, sessionTitle, interactionId, dueAt } = row;
  const { overdue, ...readable } = ReadableEntry.parse(objectIn(row.entry));
  return {
    sessionId,
    sessionTitle,
    interactionId,
    toolCallId: parseInteractionId(interactionId)?.toolCallId ?? interactionId,
    ...readable,
    expiresAt: dueAt >= NO_DEADLINE ? null : dueAt,
    ...(overdue === true && { overdue }),
    ...(row.beyondShare && { beyondShare: true }),
  };
}

function objectIn(text: string): JsonObject {
  try {
    return JsonObjectSchema.catch({}).parse(JSON.parse(text));
  } catch {
    return {};
  }
}
