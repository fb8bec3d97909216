/** Sessions that live as long as their process: for tests, scripts and browsers. */
import { MemorySessionStore } from '../platform/memory/session-store.ts';
import { MemoryWorkspaceStore } from '../platform/memory/workspace-store.ts';
import type { InProcessStorage } from './storage.ts';

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
