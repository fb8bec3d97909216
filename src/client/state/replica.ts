/**
 * A session as a client knows it: what the server said on connecting, brought up to date by events.
 *
 * 1. `session`, `open` and `waiting` are the present. The welcome says it at once, and the events up
 *    to its head, which arrive afterwards, are history that must not bring an old present back.
 * 2. Events are taken in order of `seq`, each once; after a gap nothing is, and the caller is told.
 * 3. Who waits is said by the welcome and by `interaction_pending` (PEND-8). A request that none was
 *    logged for was imported, and waits until its response.
 */
import { draftOf, foldIntoReplica, publishReplica } from './replica-draft.ts';
import type {
  EventOf,
  Interaction,
  Rule,
  SessionEvent,
  SessionView,
  Snapshot,
} from '../../protocol/types.ts';

export interface Replica {
  /** Null before the first welcome. */
  readonly session: SessionView | null;
  /** How far the log goes, and how far it was folded here. */
  readonly head: number;
  readonly cursor: number;
  /** What a person may answer now, oldest first. */
  readonly open: readonly Interaction[];
  /** What was settled in the events that were folded, in that order. */
  readonly settled: readonly Interaction[];
  /** The tool calls that wait for a person (PEND-5), and whether that was logged. */
  readonly waiting: ReadonlyMap<string, 'logged' | 'imported'>;
  /** Whole if the log was folded from its beginning; no welcome tells it. */
  readonly rules: readonly Rule[];
  /** What the session last said of its work, while nothing came of it yet. */
  readonly report: Report | null;
  readonly isDeleted: boolean;
  /** For the next fold: the present is as of here, and until then `past` is what was open. */
  readonly asOf: number;
  readonly past: readonly Interaction[];
}

export type Report = EventOf<'session_status'>['payload'];

/** `after` is the `seq` of the event after which the log is read. */
export function emptyReplica(after = 0): Replica {
  return {
    session: null,
    head: after,
    cursor: after,
    open: [],
    settled: [],
    waiting: new Map(),
    rules: [],
    report: null,
    isDeleted: false,
    asOf: after,
    past: [],
  };
}

/** A snapshot that is older than what was folded since changes nothing. */
export function foldWelcome(replica: Replica, { session, head, open }: Snapshot): Replica {
  if (head < replica.head) return replica;
  const { cursor, asOf } = replica;
  const known = cursor < asOf ? replica.past : replica.open;
  return {
    ...replica,
    session,
    head,
    open,
    waiting: new Map(open.map((one) => [one.toolCallId, 'logged'])),
    past: cursor < head ? known : [],
    asOf: head,
  };
}

/** The log goes on after `after`, and the next event that came is `found`. */
export interface Gap {
  readonly after: number;
  readonly found: number;
}
export type Folded =
  | { readonly ok: true; readonly replica: Replica }
  | { readonly ok: false; readonly gap: Gap };

/** All of the events or, where one is missing, none of them. */
export function foldLog(replica: Replica, events: readonly SessionEvent[]): Folded {
  const draft = draftOf(replica);
  for (const event of events) {
    const found = event?.seq;
    if (found <= draft.cursor) continue;
    if (found !== draft.cursor + 1) return { ok: false, gap: { after: draft.cursor, found } };
    draft.cursor = found;
    foldIntoReplica(draft, event);
  }
  return { ok: true, replica: publishReplica(replica, draft) };
}

/** What a screen says of the agent: at work, or waiting for you (PEND-6). */
/** `idle` is also said while somebody is asked. */
export type SessionStatus = 'idle' | 'working' | 'retrying' | 'deleted';

export function isWaitingForPerson(replica: Replica): boolean {
  return replica.waiting.size > 0;
}

/** A turn runs and nobody is asked anything. */
export function isTyping(replica: Replica): boolean {
  return (replica.session?.turn ?? null) !== null && !isWaitingForPerson(replica);
}

export function statusOf(replica: Replica): SessionStatus {
  if (replica.isDeleted) return 'deleted';
  if (!isTyping(replica)) return 'idle';
  const isRetrying = replica.cursor >= replica.asOf && replica.report?.status === 'retrying';
  return isRetrying ? 'retrying' : 'working';
}
