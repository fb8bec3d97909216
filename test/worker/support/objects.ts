/** Looks inside an object: its memory, and its count of wakes. */
import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import { vi } from 'vitest';
import { SqliteSessionStore } from '../../../src/platform/sqlite/session-store.ts';
import type { Attachment } from '../../../src/session/ports.ts';
import { type TestSession, sessionStub } from './session.ts';

/** The attachments of the session's connections and of the calls that wait; reading them wakes the session. */
export function attachments(session: TestSession): Promise<Attachment[]> {
  return sessionStub(session).attachments();
}

/** How many connections the platform keeps open, without the calls that wait. */
export function countConnections(session: TestSession): Promise<number> {
  return runInDurableObject(
    sessionStub(session),
    (_object, context) =>
      context.getWebSockets().filter(({ readyState }) => readyState === WebSocket.OPEN).length,
  );
}

export function alarmOf(session: TestSession): Promise<number | null> {
  return runInDurableObject(sessionStub(session), (_object, context) => context.storage.getAlarm());
}

/** How the platform can lose one: see https://github.com/cloudflare/workerd/issues/3138 */
export function loseAlarm(session: TestSession): Promise<void> {
  return runInDurableObject(sessionStub(session), (_object, context) =>
    context.storage.deleteAlarm(),
  );
}

/**
 * Counts how often this session comes to life from now on: each life reads the stored session once.
 * Objects run in the isolate of the tests, so a spy on their class sees them all, also sessions of earlier tests, which
 * an alarm may wake.
 */
export function countWakes({ id }: TestSession): () => number {
  const load = vi.spyOn(SqliteSessionStore.prototype, 'load');
  return () =>
    load.mock.results.filter(({ type, value }) => type === 'return' && value?.info.id === id)
      .length;
}

/** An object that holds out does so for 30 s; on a busy machine the others need seconds too. */
export const AT_ONCE_MS = 20_000;

/** How long it took: an object with nothing to do leaves at once, a busy one holds out for 30 s. */
export async function evict(stub: DurableObjectStub): Promise<number> {
  const from = Date.now();
  await evictDurableObject(stub);
  return Date.now() - from;
}
