/**
 * Faults to plant between the code and its simulation, to prove that the simulation finds them.
 *
 * A simulation without findings either runs against good code or is blind; only planted faults show which.
 */
import type { SessionEvent } from '../../src/protocol/schema/event.ts';
import type { SessionAlarm, Commit, SessionStore, Socket } from '../../src/session/ports.ts';
import type { WorkspaceStore } from '../../src/workspace/store.ts';
import type { OutputGate } from './output-gate.ts';

export interface Planted {
  readonly store?: (store: SessionStore) => Partial<SessionStore>;
  readonly sockets?: (all: readonly Socket[]) => Socket[];
  readonly alarm?: (alarm: SessionAlarm) => SessionAlarm;
  readonly clock?: (now: number) => number;
  readonly gate?: (gate: OutputGate) => void;
  /** A failed report counts as a confirmed one. */
  readonly believesFailures?: boolean;
  readonly workspaceStore?: (store: WorkspaceStore) => void;
}

const changed = (change: (commit: Commit) => Commit): Planted => ({
  store: (store) => ({ commit: (commit) => store.commit(change(commit)) }),
});

/** The commit of several openings as two; any other as it is. */
function halvesOf(commit: Commit): readonly Commit[] {
  const { events } = commit;
  const at = events.findLastIndex((event) => isPending(event));
  const isBatch = events.filter(({ type }) => type === 'interaction_request').length > 1;
  if (!isBatch || at < 1) return [commit];
  const { keyedResult: _key, ...first } = eventsOf(commit, events.slice(0, at));
  return [first, eventsOf(commit, events.slice(at))];
}

function isPending(event: SessionEvent): boolean {
  return event.type === 'interaction_pending' && event.payload.pending;
}

/** These events with the records that they are about. */
function eventsOf(commit: Commit, events: readonly SessionEvent[]): Commit {
  const ids = new Set(
    events.map(({ payload }) => 'interactionId' in payload && payload.interactionId),
  );
  const records = commit.records.filter(({ interactionId }) => ids.has(interactionId));
  return { ...commit, events, eventsJson: JSON.stringify(events).slice(1, -1), records };
}

export const PLANTED: Readonly<Record<string, Planted>> = {
  'idempotency keys are forgotten': { store: () => ({ findResult: () => undefined }) },
  'a read of the log skips an event': {
    store: (store) => ({ readLog: (after, fit) => store.readLog(after + 1, fit) }),
  },
  'the reported seq is written too high': changed((commit) => ({
    ...commit,
    reportedSeq: commit.events.at(-1)?.seq ?? 0,
  })),
  'a record is not written with its event': changed((commit) => ({
    ...commit,
    records: commit.records.slice(1),
  })),
  'a batch is written in two commits': {
    store: (store) => ({
      commit(commit) {
        for (const part of halvesOf(commit)) store.commit(part);
      },
    }),
  },
  'settings are not written with their event': changed(({ info: _info, ...commit }) => commit),
  'a write that failed is taken for done': {
    store: (store) => ({
      commit(commit) {
        try {
          store.commit(commit);
        } catch {
          // The failure is ignored on purpose.
        }
      },
    }),
  },
  'the alarm is never set': { alarm: () => ({ armedAt: null, arm: () => undefined }) },
  'waiters are forgotten': {
    sockets: (all) => all.filter((socket) => socket.attachment.role !== 'waiter'),
  },
  'a reply leaves before its write is stored': {
    gate(gate) {
      gate.close = () => undefined;
    },
  },
  'the clock of sessions runs ahead': { clock: (now) => now + 1_000 },
  'a failed report counts as confirmed': { believesFailures: true },
  'the workspace forgets how far it received reports': {
    workspaceStore(store) {
      const { sessions } = store;
      const find = sessions.find.bind(sessions);
      sessions.find = (id) => {
        const known = find(id);
        return known && { ...known, head: 0 };
      };
    },
  },
  'the workspace never closes anything': {
    workspaceStore(store) {
      store.inbox.remove = () => undefined;
    },
  },
};
