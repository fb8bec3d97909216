/** The reads of a session. Like commands, they first end what is overdue. */
import { type ReadResult, type Rejection, reject } from '../protocol/errors.ts';
import type { FileEntry, StoredFile } from '../agent/tools/ports.ts';
import { findKind } from '../core/kinds/kind.ts';
import { UNKNOWN_INTERACTION } from '../core/rejections.ts';
import { listOpenInteractions, type SessionState } from '../core/state.ts';
import { countBytes } from '../protocol/bytes.ts';
import { canonicalize } from '../protocol/canonical-json.ts';
import type { AgentSettings } from '../protocol/schema/agent-settings.ts';
import { type Caller, isAgentOf } from '../protocol/caller.ts';
import type { Interaction, InteractionView } from '../protocol/schema/interaction.ts';
import { LIMITS } from '../protocol/limits.ts';
import type { Rule } from '../protocol/schema/rule.ts';
import type { Session } from './session.ts';
import { startAfter } from './subscribers.ts';
import { followUndone, markDelivered, recordById } from './find-record.ts';
import { snapshotOf, viewInteraction } from './view.ts';
import type { Snapshot } from '../protocol/types.ts';

const NO_SESSION = reject('not_found', 'There is no such session');

export function requireState(session: Session): SessionState | Rejection {
  const state = session.current();
  return state === null || state.info.deletedAt !== null ? NO_SESSION : state;
}

function viewRecord(session: Session, interaction: Interaction): InteractionView {
  return viewInteraction(session.kinds, interaction, (one) => session.isAgentWaiting(one));
}

export function readSnapshot(session: Session): ReadResult<Snapshot> {
  const state = requireState(session);
  if ('ok' in state) return state;
  const listens = (one: Interaction) => session.isAgentWaiting(one);
  return { ok: true, value: snapshotOf(state, session.kinds, listens, session.ports.now()) };
}

export function readInteraction(
  session: Session,
  interactionId: string,
  caller: Caller,
): ReadResult<InteractionView> {
  const state = requireState(session);
  if ('ok' in state) return state;
  const record = findForReader(session, state, interactionId, caller);
  if (record === undefined) return UNKNOWN_INTERACTION;
  return { ok: true, value: viewRecord(session, markDelivered(session, record, caller)) };
}

/** The record under this id; for its agent, the request that asks again after the decision was taken back. */
export function findForReader(
  { ports: { store } }: Session,
  { open }: SessionState,
  interactionId: string,
  caller: Caller,
): Interaction | undefined {
  const record = recordById(store, open, interactionId);
  const isAgent = record !== undefined && isAgentOf(caller, record.openedBy);
  return isAgent ? followUndone(store, open, record) : record;
}

export interface InteractionPage {
  readonly interactions: readonly InteractionView[];
  readonly next?: { readonly settledAt: number; readonly interactionId: string };
}

/** All open interactions in the order of their requests, or a page of settled ones, newest first. */
export function listInteractions(
  session: Session,
  ask: {
    readonly status: 'open' | 'settled';
    readonly limit: number;
    readonly before?: { readonly settledAt: number; readonly interactionId: string };
  },
  caller: Caller,
): ReadResult<InteractionPage> {
  const state = requireState(session);
  if ('ok' in state) return state;
  if (ask.status === 'open') {
    return {
      ok: true,
      value: { interactions: listOpenInteractions(state).map((one) => viewRecord(session, one)) },
    };
  }
  session.undelivered.markShown(caller);
  // Without a bound a page of a thousand records could exceed the memory of the object.
  const fit = { maxRecords: ask.limit, maxBytes: LIMITS.pageBytes };
  const { records, hasMore } = session.ports.store.settled(fit, ask.before);
  const last = hasMore ? records.at(-1) : undefined;
  return {
    ok: true,
    value: {
      interactions: records.map((one) => viewRecord(session, one)),
      ...(last !== undefined && {
        next: { settledAt: last.settledAt ?? 0, interactionId: last.interactionId },
      }),
    },
  };
}

/** A part of the exact input of an interaction as canonical JSON. Few have more than one. */
export interface InputPart {
  readonly text: string;
  readonly isLast: boolean;
  /** Of all parts together. */
  readonly bytes: number;
}

export function readInputPart(
  session: Session,
  interactionId: string,
  part: number,
): ReadResult<InputPart> {
  const state = requireState(session);
  if ('ok' in state) return state;
  const { store } = session.ports;
  const record = recordById(store, state.open, interactionId);
  if (record === undefined) return UNKNOWN_INTERACTION;
  if (record.wholeInput === undefined) {
    const input = findKind(session.kinds, record).input(record.request);
    const text = canonicalize(input);
    return { ok: true, value: { text, isLast: true, bytes: countBytes(text) } };
  }
  const text = store.heldInputs.part(interactionId, part);
  if (text === undefined) throw new Error(`Part ${part} of the input of ${interactionId} is gone`);
  const isLast = store.heldInputs.part(interactionId, part + 1) === undefined;
  return { ok: true, value: { text, isLast, bytes: record.wholeInput.bytes } };
}

/** The settings in full, with the parts that only an administrator may read. */
export function readAgentSettings(session: Session): ReadResult<AgentSettings | null> {
  const state = requireState(session);
  return 'ok' in state ? state : { ok: true, value: state.info.agent };
}

export function readRules(session: Session): ReadResult<readonly Rule[]> {
  const state = requireState(session);
  return 'ok' in state ? state : { ok: true, value: state.rules };
}

export function readFiles(session: Session): ReadResult<readonly FileEntry[]> {
  const state = requireState(session);
  return 'ok' in state ? state : { ok: true, value: session.ports.store.files.list() };
}

export function readStoredFile(session: Session, path: string): ReadResult<StoredFile> {
  const state = requireState(session);
  if ('ok' in state) return state;
  const file = session.ports.store.files.read(path);
  if (file === undefined) return reject('not_found', 'There is no such file in this session');
  return { ok: true, value: file };
}

export function rejectCursor(after: number, head: number): Rejection {
  return reject('cursor_ahead', `The log ends at ${head}; there is nothing after ${after}`, {
    head,
  });
}

/** One page of the log as response text. Events keep the text in which they are stored. */
export function readEvents(
  session: Session,
  after: number,
  limit: number,
  caller: Caller,
): ReadResult<string> {
  const state = requireState(session);
  if ('ok' in state) return state;
  session.undelivered.markShown(caller);
  if (after > state.head) return rejectCursor(after, state.head);
  const fit = { maxEvents: limit, maxBytes: LIMITS.pageBytes };
  const chunk = session.ports.store.readLog(startAfter(after, state.head), fit);
  const more = chunk !== undefined && chunk.lastSeq < state.head;
  return {
    ok: true,
    value: `{"events":[${chunk?.json ?? ''}],"head":${state.head},"more":${more}}`,
  };
}
