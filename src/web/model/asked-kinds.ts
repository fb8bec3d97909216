/** What the open requests of each session ask for, as far as the inbox has shown them: by session, then by request. */
import type { InboxEntry } from '../../protocol/types.ts';

export type AskedKinds = ReadonlyMap<string, ReadonlyMap<string, string>>;

interface InboxNews {
  /** The first page: all entries before it are void. */
  readonly interactions?: readonly InboxEntry[];
  readonly sessionId?: string;
  readonly upserts?: readonly InboxEntry[];
  readonly removed?: readonly string[];
}

export function noteAsked(before: AskedKinds, news: InboxNews): AskedKinds {
  const { interactions, upserts = interactions ?? [], sessionId = '', removed = [] } = news;
  const known = new Map(interactions === undefined ? before : []);
  for (const { sessionId: id, interactionId, kind } of upserts)
    known.set(id, new Map([...(known.get(id) ?? []), [interactionId, kind]]));
  const left = new Map(known.get(sessionId));
  for (const id of removed) left.delete(id);
  return removed.length > 0 ? known.set(sessionId, left) : known;
}

/** Undefined where the requests are of several kinds, or not all known. */
export function kindAskedBy(
  kinds: AskedKinds,
  { id, open }: { readonly id: string; readonly open: number },
): string | undefined {
  const own = [...(kinds.get(id)?.values() ?? [])];
  return own.length === open && new Set(own).size === 1 ? own[0] : undefined;
}
