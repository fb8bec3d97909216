/**
 * Follows one session and draws it as rarely as possible.
 *
 * Streamed text arrives in many small pieces, and the log in many large ones. Both are folded at once and drawn with
 * the next frame; a replay is drawn when it is complete or takes long. The session opens with its last events, and loads
 * earlier ones where the person goes back. Imported history is read beside the whole log, and again when it changes.
 */
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import {
  emptyReplica,
  foldAgents,
  foldLog,
  foldWelcome,
  type Replica,
} from '../../client/state/replica.ts';
import type { ConnectionStatus, Subscription, Transport } from '../../client/transport.ts';
import {
  emptyTimeline,
  foldDelta,
  foldEvents,
  withoutPreviews,
  type Timeline,
} from '../../client/timeline/index.ts';
import type { Looking, SessionEvent, Snapshot } from '../../protocol/types.ts';
import type { Sought } from '../model/rows.ts';
import { LoadedEvents, TAIL_EVENTS } from '../session/earlier-events.ts';
import type { ServerClock } from '../clock.ts';
import { loadMarkdown } from '../markdown/markdown.tsx';
import type { HistoryMerge } from '../model/history-merge.ts';
import type { ReadHistory } from '../session/read-history.ts';
import { fetchLaterParts, whenFirstDrawn } from './use-later-parts.ts';

/** A hidden page gets no animation frames, but its title must count open requests. */
const FRAME_MS = 60;
/** A log that takes longer is shown as far as it has arrived. */
const SHOW_PARTIAL_AFTER_MS = 300;

/** Whether the imported history is drawn. `count` grows with each history that is. */
export interface HistoryState {
  readonly status: 'loading' | 'shown' | 'failed';
  readonly count: number;
  readonly cause?: unknown;
}

/** The events before the loaded ones. */
interface EarlierState {
  readonly hasMore: boolean;
  /** Grows with each page that is added. */
  readonly count: number;
}

/** The state of one session on the screen: a fold of its subscription. */
interface SessionScreenState {
  readonly replica: Replica;
  readonly timeline: Timeline;
  /** Undefined without imported history. */
  readonly history?: HistoryState;
  readonly earlier: EarlierState;
  readonly connection: ConnectionStatus;
  /** An event is missing: the session has to be followed from its start again. */
  readonly isBroken: boolean;
}

export interface FollowedSession {
  readonly state: SessionScreenState;
  readonly reconnect: () => void;
  readonly look: Subscription['look'] | undefined;
  readonly readHistoryAgain: () => void;
  readonly loadEarlier: () => Promise<void>;
  /** Whether the events that a link leads to are loaded. */
  readonly holds: (sought: Sought) => boolean;
  readonly loadUntil: (sought: Sought) => Promise<void>;
}

export function useSession(
  transport: Transport,
  sessionId: string,
  clock: ServerClock,
): FollowedSession {
  const [shown, setShown] = useState(emptySession);
  const [subscription, setSubscription] = useState<Subscription>();
  const [attempt, setAttempt] = useState(0);
  const again = useRef<() => void>(undefined);
  const loader = useRef<EarlierLoader>(undefined);

  // Before the browser draws the empty session: the connection is made while it does.
  useLayoutEffect(() => {
    let state = emptySession();
    let drawing: (() => void) | undefined;
    const loaded = new LoadedEvents(transport, sessionId);
    let isClosed = false;
    let rulesRead = 0;
    let read: ReadHistory | undefined;
    let merge: HistoryMerge | undefined;
    let isStale = false;
    let wanted = '';
    const draw = () => {
      drawing?.();
      drawing = undefined;
      if (isStale && isCaughtUp(state)) {
        isStale = false;
        state = {
          ...state,
          timeline: foldAnew(merge?.align(loaded.events) ?? loaded.events, state.timeline),
        };
      }
      setShown(state);
    };
    const drawSoon = () => {
      if (isCaughtUp(state)) drawing?.();
      else if (drawing !== undefined) return;
      drawing = isCaughtUp(state) ? nextFrame(draw) : callAfter(draw, SHOW_PARTIAL_AFTER_MS);
    };
    const change = (next: SessionScreenState, when: () => void) => {
      state = next;
      when();
    };
    const setHistory = (status: HistoryState['status'], cause?: unknown) => {
      const count = (state.history?.count ?? 0) + (status === 'shown' ? 1 : 0);
      change({ ...state, history: { status, count, cause } }, drawSoon);
    };
    const addEarlier = async (load: () => Promise<void>) => {
      const before = loaded.start;
      try {
        await load();
      } finally {
        if (loaded.start < before && !isClosed) {
          isStale = true;
          const count = state.earlier.count + 1;
          change({ ...state, earlier: { hasMore: loaded.start > 0, count } }, drawSoon);
        }
      }
    };
    /** The welcome has no rules, and those of the loaded events may be fewer. */
    const readRules = async () => {
      const reading = (rulesRead += 1);
      const rules = await transport.rules(sessionId).catch(() => undefined);
      if (rules === undefined || reading !== rulesRead || isClosed) return;
      change({ ...state, replica: { ...state.replica, rules } }, drawSoon);
    };
    loader.current = {
      loadEarlier: () => addEarlier(() => loaded.loadPage()),
      loadUntil: (sought) => addEarlier(() => loaded.loadUntil(sought)),
      holds: (sought) => loaded.holds(sought),
    };
    const loadHistory = async () => {
      const sources =
        state.replica.session?.cliSessions?.filter(({ entries }) => entries > 0) ?? [];
      const key = JSON.stringify(sources);
      if (sources.length === 0 || key === wanted) return;
      wanted = key;
      if (state.history?.status !== 'shown') setHistory('loading');
      try {
        // An import is laid beside the log from its beginning.
        await addEarlier(() => loaded.loadAll());
        const later = await fetchLaterParts();
        const found = await later.readWholeHistory(transport, sessionId, sources, read);
        if (key !== wanted) return;
        read = found;
        merge = new later.HistoryMerge(found.entries);
        isStale = true;
        setHistory('shown');
      } catch (cause) {
        if (key === wanted) setHistory('failed', cause);
      }
    };
    again.current = () => {
      wanted = '';
      void loadHistory();
    };
    setShown(state);
    const followed = transport.subscribe(
      sessionId,
      {
        welcome(snapshot) {
          clock.setServerTime(snapshot.now);
          const start = loaded.begin(snapshot.head);
          if (state.replica.session === null) {
            const earlier = { ...state.earlier, hasMore: start > 0 };
            state = { ...state, replica: emptyReplica(start), earlier };
          }
          change(applyWelcome(state, snapshot), drawSoon);
          if (start > 0) void readRules();
          void loadHistory();
        },
        events(events) {
          // Text that is drawn plain first moves everything below it.
          if (events.some((event) => event?.type === 'assistant_text'))
            loadMarkdown().catch(() => undefined);
          const added = events.filter((event) => !(event?.seq <= state.replica.cursor));
          const folded = foldLog(state.replica, added);
          if (!folded.ok) {
            change({ ...state, isBroken: true }, drawSoon);
            return setAttempt((count) => count + 1);
          }
          loaded.add(added);
          if (loaded.begin(0) > 0 && added.some(changesRules)) void readRules();
          isStale ||= merge?.concerns(added) === true;
          const { timeline } = state;
          const next = merge?.continue(timeline.head, added) ?? added;
          const { replica } = folded;
          change({ ...state, replica, timeline: foldEvents(timeline, next) }, drawSoon);
          void loadHistory();
        },
        presence: (presence) =>
          void whenFirstDrawn(fetchLaterParts).then(
            (later) => later.setPresence(sessionId, presence),
            () => undefined,
          ),
        agents: (agents) =>
          change({ ...state, replica: foldAgents(state.replica, agents) }, drawSoon),
        delta: (delta) =>
          change({ ...state, timeline: foldDelta(state.timeline, delta) }, drawSoon),
        status: (status) =>
          change({ ...state, connection: status }, status.type === 'replaying' ? drawSoon : draw),
      },
      -TAIL_EVENTS,
    );
    setSubscription(followed);
    return () => {
      wanted = 'closed';
      isClosed = true;
      drawing?.();
      followed.close();
    };
  }, [transport, sessionId, clock, attempt]);

  // The same function for as long as the subscription is the same.
  const look = useMemo(
    () => subscription && ((at: Looking | null) => subscription.look(at)),
    [subscription],
  );
  return {
    state: shown,
    reconnect: () => subscription?.reconnect(),
    look,
    readHistoryAgain: () => again.current?.(),
    loadEarlier: () => loader.current?.loadEarlier() ?? Promise.resolve(),
    loadUntil: (sought) => loader.current?.loadUntil(sought) ?? Promise.resolve(),
    holds: (sought) => loader.current?.holds(sought) === true,
  };
}

type EarlierLoader = Pick<FollowedSession, 'loadEarlier' | 'loadUntil' | 'holds'>;

function changesRules({ type, payload }: SessionEvent): boolean {
  if (type !== 'session_updated') return false;
  return (payload.ruleAdded ?? payload.ruleRevoked) !== undefined;
}

function nextFrame(work: () => void): () => void {
  const frame = requestAnimationFrame(work);
  const timer = setTimeout(work, FRAME_MS);
  return () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  };
}

function callAfter(work: () => void, ms: number): () => void {
  const timer = setTimeout(work, ms);
  return () => clearTimeout(timer);
}

function emptySession(): SessionScreenState {
  return {
    replica: emptyReplica(),
    timeline: emptyTimeline(),
    earlier: { hasMore: false, count: 0 },
    connection: { type: 'connecting' },
    isBroken: false,
  };
}

/** Text that was streamed before a reconnect is not sent again. */
function applyWelcome(state: SessionScreenState, snapshot: Snapshot): SessionScreenState {
  const replica = foldWelcome(state.replica, snapshot);
  return { ...state, replica, timeline: withoutPreviews(state.timeline) };
}

/** Streamed text that lay over the old turns lies over the new ones. */
function foldAnew(events: readonly SessionEvent[], { memory }: Timeline): Timeline {
  return memory.previews.reduce(foldDelta, foldEvents(emptyTimeline(), events));
}

/** All events up to the snapshot are folded. */
export function isCaughtUp({ replica }: SessionScreenState): boolean {
  return replica.session !== null && replica.cursor >= replica.asOf;
}
