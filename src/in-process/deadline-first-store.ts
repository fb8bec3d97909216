/**
 * Sets an alarm before the commit that needs it, and not only afterwards.
 *
 * Alarm and session are in different files. If a process died after the commit and before the alarm, a
 * deadline would never run, or the inbox would never show an open interaction. In this order the worst
 * is an alarm that finds nothing to do. Every commit is followed by an alarm within a minute, in this
 * process or in the next one as soon as it starts.
 */
import type { SessionAlarm, Commit, SessionStore } from '../session/ports.ts';

const LOOK_AFTER_MS = 60_000;

export function armBeforeCommit(store: SessionStore, alarm: SessionAlarm): SessionStore {
  return {
    load: () => store.load(),
    commit(commit) {
      const at = latestAlarm(commit);
      if (alarm.armedAt === null || at < alarm.armedAt) alarm.arm(at);
      store.commit(commit);
    },
    readLog: (after, fit) => store.readLog(after, fit),
    record: (toolCallId, step) => store.record(toolCallId, step),
    latestRecord: (toolCallId) => store.latestRecord(toolCallId),
    settled: (fit, before) => store.settled(fit, before),
    messages: () => store.messages(),
    files: store.files,
    findResult: (key, now) => store.findResult(key, now),
    saveResult: (result, now) => store.saveResult(result, now),
    markDelivered: (interactionId, at) => store.markDelivered(interactionId, at),
    erase: (info) => store.erase(info),
  };
}

function latestAlarm({ records, now }: Commit): number {
  const deadlines = records
    .filter((record) => record.status === 'open')
    .flatMap(({ expiresAt, remindAt, escalateAt }) => [expiresAt, remindAt, escalateAt])
    .filter((at) => typeof at === 'number');
  return Math.max(Math.min(...deadlines, now + LOOK_AFTER_MS), now + 1);
}
