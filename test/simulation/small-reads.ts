/**
 * A store whose reads of the log bring only a few events, as its port allows: replays and reports
 * then take several pieces, with everything else happening in between.
 */
import type { SessionStore } from '../../src/session/ports.ts';

export function withSmallReads(store: SessionStore, maxEvents: number): SessionStore {
  return {
    load: () => store.load(),
    commit: (commit) => store.commit(commit),
    readLog: (after, fit) =>
      store.readLog(after, { ...fit, maxEvents: Math.min(fit.maxEvents, maxEvents) }),
    record: (toolCallId, step) => store.record(toolCallId, step),
    latestRecord: (toolCallId) => store.latestRecord(toolCallId),
    settled: (fit, before) => store.settled(fit, before),
    said: () => store.said(),
    files: store.files,
    findResult: (key, now) => store.findResult(key, now),
    saveResult: (result, now) => store.saveResult(result, now),
    markTaken: (interactionId, at) => store.markTaken(interactionId, at),
    erase: (info) => store.erase(info),
  };
}
