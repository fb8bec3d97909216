/** Where sessions are kept: what `InProcessHost` is given as `storage`. */
import { MemorySessionStore } from '../platform/memory/session-store.ts';
import { MemoryWorkspaceStore } from '../platform/memory/workspace-store.ts';
import type { SessionStore } from '../session/ports.ts';
import type { WorkspaceStore } from '../workspace/ports.ts';

export interface InProcessStorage {
  /** Once for each transport that is made with it. Throws when somebody else has it open. */
  open(): OpenStorage;
}

/** Alarms that were set, by the name of who set them, so that the next process finds them. */
export interface AlarmBook {
  all(): readonly (readonly [name: string, at: number])[];
  put(name: string, at: number): void;
  remove(name: string): void;
}

export interface OpenStorage {
  /** What is kept here is there for the next process too. */
  readonly outlivesProcess: boolean;
  readonly workspace: WorkspaceStore;
  readonly alarms: AlarmBook;
  /** Undefined when there never was such a session; looking must not make one. */
  find(sessionId: string): SessionStore | undefined;
  create(sessionId: string): SessionStore;
  /** Nobody has it in memory any more; one that never came to be leaves nothing behind. */
  release(sessionId: string, isEmpty: boolean): void;
  close(): void;
}

/** Each transport made with it begins with nothing. */
export const memory: InProcessStorage = {
  open() {
    const sessions = new Map<string, MemorySessionStore>();
    return {
      outlivesProcess: false,
      workspace: new MemoryWorkspaceStore(),
      alarms: { all: () => [], put: () => undefined, remove: () => undefined },
      find: (sessionId) => sessions.get(sessionId),
      create(sessionId) {
        const store = new MemorySessionStore();
        sessions.set(sessionId, store);
        return store;
      },
      release(sessionId, isEmpty) {
        if (isEmpty) sessions.delete(sessionId);
      },
      close: () => sessions.clear(),
    };
  },
};
