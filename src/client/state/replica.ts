/**
 * A client's copy of a session: the snapshot of the welcome, brought up to date by events.
 *
 * 1. `session`, `open` and `waiting` are the present. The welcome sets them; the events up to its head, which arrive
 *    afterwards, are history and must not bring an old state back.
 * 2. Events are folded in order of `seq`, each once. After a gap nothing is folded, and the result says so.
 * 3. `waiting` comes from the welcome and from `interaction_pending` (PEND-8). A request without such an event was imported,
 *    and waits until its response.
 */
import { replicaDraftOf, foldIntoReplica, publishReplica } from './replica-draft.ts';
import type {
  AgentState,
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
  /** The last `seq` of the log, and the last one folded here. */
  readonly head: number;
  readonly cursor: number;
  /** The interactions that a person may answer now, oldest first. */
  readonly open: readonly Interaction[];
  /** The interactions that the folded events settled, in that order. */
  readonly settled: readonly Interaction[];
  /** The tool calls that wait for a person (PEND-5), and whether the log or an import says so. */
  readonly waiting: ReadonlyMap<string, 'logged' | 'imported'>;
  /** Complete only if the log was folded from its beginning; the welcome has no rules. */
  readonly rules: readonly Rule[];
  /** The last status of the session, until an event of its work follows. */
  readonly report: StatusReport | null;
  /** What has changed of the agents of interactions since the welcome, which says it of those that were open. */
  readonly agents: ReadonlyMap<string, AgentState>;
  readonly isDeleted: boolean;
  /** For the next fold: the `seq` of the present. Until the cursor reaches it, `past` holds the interactions open there. */
  readonly asOf: number;
  readonly past: readonly Interaction[];
}

export type StatusReport = EventOf<'session_status'>['payload'];

/** `after` is the cursor from which the log is read. */
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
    agents: new Map(),
    isDeleted: false,
    asOf: after,
    past: [],
  };
}

/** A snapshot that is older than the folded events changes nothing. */
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
    agents: new Map(),
    past: cursor < head ? known : [],
    asOf: head,
  };
}

export function foldAgents(replica: Replica, changes: readonly AgentState[]): Replica {
  const agents = new Map(replica.agents);
  for (const one of changes)
    agents.set(one.interactionId, { ...agents.get(one.interactionId), ...one });
  return { ...replica, agents };
}

/** The event after `after` is missing; the next one that arrived is `found`. */
export interface Gap {
  readonly after: number;
  readonly found: number;
}
export type FoldResult =
  | { readonly ok: true; readonly replica: Replica }
  | { readonly ok: false; readonly gap: Gap };

/** Folds all events, or none if one is missing. */
export function foldLog(replica: Replica, events: readonly SessionEvent[]): FoldResult {
  const draft = replicaDraftOf(replica);
  for (const event of events) {
    const found = event?.seq;
    if (found <= draft.cursor) continue;
    if (found !== draft.cursor + 1) return { ok: false, gap: { after: draft.cursor, found } };
    draft.cursor = found;
    foldIntoReplica(draft, event);
  }
  return { ok: true, replica: publishReplica(replica, draft) };
}

/** What a screen says of the agent (PEND-6). It is also `idle` while a person is asked. */
export type SessionStatus = 'idle' | 'working' | 'retrying' | 'deleted';

export function isWaitingForPerson(replica: Replica): boolean {
  return replica.waiting.size > 0;
}

/** A turn runs and waits for no person. */
export function isTyping(replica: Replica): boolean {
  return (replica.session?.turn ?? null) !== null && !isWaitingForPerson(replica);
}

export function statusOf(replica: Replica): SessionStatus {
  if (replica.isDeleted) return 'deleted';
  if (!isTyping(replica)) return 'idle';
  const isRetrying = replica.cursor >= replica.asOf && replica.report?.status === 'retrying';
  return isRetrying ? 'retrying' : 'working';
}
