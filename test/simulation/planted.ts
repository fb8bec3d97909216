/**
 * Faults to plant between the code and its simulation, to prove that the simulation finds them.
 *
 * A simulation without findings either runs against good code or is blind; only planted faults show which.
 */
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
