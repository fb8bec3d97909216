/** Where an `InProcessHost` keeps its sessions, and the storage in memory. */
import { MemorySessionStore } from '../platform/memory/session-store.ts';
import type { TargetStore } from '../delivery/ports.ts';
import { MemoryTargetStore } from '../platform/memory/target-store.ts';
import { MemoryWorkspaceStore } from '../platform/memory/workspace-store.ts';
import type { SessionStore } from '../session/ports.ts';
import type { WorkspaceStore } from '../workspace/store.ts';
import { WORKSPACE_NAME } from './role.ts';

export interface InProcessStorage {
  /** Called once for each host. Throws when another process has the storage open. */
  open(): OpenStorage;
}

/** Alarms by the name of their session, for the next process. */
export interface AlarmStore {
  all(): readonly (readonly [name: string, at: number])[];
  put(name: string, at: number): void;
  remove(name: string): void;
}

export interface OpenStorage {
  /** Whether the next process finds the sessions again. */
  readonly outlivesProcess: boolean;
  readonly workspace: WorkspaceStore;
  readonly alarms: AlarmStore;
  /** Undefined for an unknown session, which must not be created by looking. */
  find(sessionId: string): SessionStore | undefined;
  create(sessionId: string): SessionStore;
  /** Made when it is missing. Each target is opened once, and stays open. */
  target(targetId: string): TargetStore;
  /** Whether this target was made, also if it was deleted since. */
  hasTarget(targetId: string): boolean;
  /** The session has left memory; an empty one is deleted. */
  release(sessionId: string, isEmpty: boolean): void;
  close(): void;
}

/** For tests, scripts and browsers: each host starts empty. */
export const memory: InProcessStorage = {
  open() {
    const sessions = new Map<string, MemorySessionStore>();
    const targets = new Map<string, MemoryTargetStore>();
    return {
      outlivesProcess: false,
      workspace: new MemoryWorkspaceStore(WORKSPACE_NAME),
      alarms: { all: () => [], put: () => undefined, remove: () => undefined },
      find: (sessionId) => sessions.get(sessionId),
      create(sessionId) {
        const store = new MemorySessionStore();
        sessions.set(sessionId, store);
        return store;
      },
      target(targetId) {
        const store = targets.get(targetId) ?? new MemoryTargetStore();
        targets.set(targetId, store);
        return store;
      },
      hasTarget: (targetId) => targets.has(targetId),
      release(sessionId, isEmpty) {
        if (isEmpty) sessions.delete(sessionId);
      },
      close: () => sessions.clear(),
    };
  },
};
