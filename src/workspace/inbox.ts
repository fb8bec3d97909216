/**
 * The inbox: everything open in the workspace, oldest deadline first, then what has none, oldest first.
 *
 * It shows what it was told and nothing less. An entry that was written by another version of this
 * program is shown with what can be read of it: leaving it out would say "all clear" to somebody
 * whom an agent is waiting for. The deadline moves an entry, so one that gets more time while
 * somebody turns pages can be seen a second time further back; none is ever skipped.
 */
import * as z from 'zod';
import { readCursor } from '../protocol/cursor.ts';
import { parseInteractionId } from '../protocol/ids.ts';
import { JsonObjectSchema, KindName, Presentation, ToolName } from '../protocol/interaction.ts';
import type { JsonObject } from '../protocol/json.ts';
import type { InboxEntry } from '../protocol/workspace.ts';
import { cutPage, pageSize } from './page.ts';
import type { InboxKey, InboxRow, Page, Read, WorkspaceStore } from './ports.ts';

/** Stands behind every deadline: the last instant a JavaScript date can be. Later ones are in the order of asking. */
export const NO_DEADLINE = 8_640_000_000_000_000;

export interface InboxPage {
  readonly interactions: readonly InboxEntry[];
  /** Everything that is open, on this page and all others. */
  readonly total: number;
  readonly next?: string;
  /** When this was true, by the server's clock. */
  readonly now: number;
}

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

const InboxPlace = z.tuple([z.literal('inbox'), z.int(), z.string(), z.string()]);

export function listInbox(
  store: WorkspaceStore,
  page: Page,
  at: { total: number; now: number },
): Read<InboxPage> {
  const place = readCursor(InboxPlace, page.after);
  if (!place.ok) return place;
  const size = pageSize(page.limit);
  const found = store.inbox(size + 1, keyIn(place.value));
  const { rows, ...next } = cutPage(found, size, (last) => [
    'inbox',
    last.dueAt,
    last.sessionId,
    last.interactionId,
  ]);
  return { ok: true, value: { interactions: rows.map(entryOf), ...next, ...at } };
}

function keyIn(place: z.output<typeof InboxPlace> | undefined): InboxKey | undefined {
  return place && { dueAt: place[1], sessionId: place[2], interactionId: place[3] };
}

/** Every field by itself: one that cannot be read does not take the others with it. */
const Readable = z.object({
  toolName: ToolName.catch('unknown'),
  kind: KindName.catch('unknown'),
  presentation: Presentation.catch('tool'),
  request: JsonObjectSchema.nullable().catch(null),
  inputDigest: z.string().catch(''),
  openedAt: z.number().catch(0),
  overdue: z.literal(true).optional().catch(undefined),
});

function entryOf(row: InboxRow): InboxEntry {
  const { sessionId, sessionTitle, interactionId, dueAt } = row;
  const { overdue, ...readable } = Readable.parse(objectIn(row.entry));
  return {
    sessionId,
    sessionTitle,
    interactionId,
    toolCallId: parseInteractionId(interactionId)?.toolCallId ?? interactionId,
    ...readable,
    expiresAt: dueAt >= NO_DEADLINE ? null : dueAt,
    ...(overdue === true && { overdue }),
  };
}

function objectIn(text: string): JsonObject {
  try {
    return JsonObjectSchema.catch({}).parse(JSON.parse(text));
  } catch {
    return {};
  }
}
