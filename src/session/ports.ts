/** The world as a session sees it. Each port is implemented in `platform/` and faked in tests. */
import type { ModelMessage } from '../agent/message.ts';
import type { Model } from '../agent/model.ts';
import type { Run } from '../agent/run/run.ts';
import type { RunChange } from '../agent/run/run-draft.ts';
import type { HttpTools, SessionFiles } from '../agent/tools/ports.ts';
import type { Reply } from '../core/decision.ts';
import type { AnotherLog, Report } from '../core/report.ts';
import type { SessionInfo } from '../core/state.ts';
import type { Caller } from '../protocol/caller.ts';
import type { SessionEvent } from '../protocol/schema/event.ts';
import type { Interaction } from '../protocol/schema/interaction.ts';
import type { Rule, Timeouts } from '../protocol/schema/session.ts';

export interface StoredSession {
  readonly info: SessionInfo;
  readonly head: number;
  /** How far the workspace had confirmed the log when its last row was written. */
  readonly reportedSeq: number;
  /** The random name of this file; empty for one from before files had names. */
  readonly incarnation: string;
  readonly open: readonly Interaction[];
  readonly rules: readonly Rule[];
  readonly run: Run | null;
}

/** A committed result, found again by its idempotency key. */
export interface StoredResult {
  readonly bodyHash: string;
  readonly reply: Reply;
}

export type KeyedResult = StoredResult & { readonly key: string };

/** Everything one command changes; it is written whole or not at all. Without events, the run alone. */
export interface Commit {
  readonly now: number;
  readonly events: readonly SessionEvent[];
  /** The events as the text they are published as, the members of an array without its brackets. */
  readonly eventsJson: string;
  readonly reportedSeq: number;
  readonly records: readonly Interaction[];
  readonly info?: SessionInfo;
  /** The name of the file, when it begins, or when it turned out to be an older copy. */
  readonly incarnation?: string;
  readonly rulesAdded: readonly Rule[];
  readonly rulesRevoked: readonly string[];
  /** Absent where nothing changes for the built-in agent. */
  readonly agent?: RunChange;
  readonly keyedResult?: KeyedResult;
}

/** A run of events as stored text: the members of a JSON array, without its brackets. */
export interface LogChunk {
  readonly json: string;
  readonly count: number;
  readonly lastSeq: number;
}

export interface SettledPage {
  readonly records: readonly Interaction[];
  /** Older ones are left. */
  readonly hasMore: boolean;
}

export interface SessionStore {
  load(): StoredSession | null;
  /** Throws when it cannot be written, and then nothing of it is. */
  commit(commit: Commit): void;
  /** Undefined at the end of the log. At least one event, then as many as fit. */
  readLog(after: number, fit: { maxEvents: number; maxBytes: number }): LogChunk | undefined;
  record(toolCallId: string, step: number): Interaction | undefined;
  latestRecord(toolCallId: string): Interaction | undefined;
  /** Newest first; `before` is the last one of the page before. At least one if there is one, then as many as fit. */
  settled(
    fit: { maxRecords: number; maxBytes: number },
    before?: { settledAt: number; interactionId: string },
  ): SettledPage;
  /** The conversation with the model, in the pieces in which it was written. */
  messages(): ModelMessage[];
  readonly files: SessionFiles;
  findResult(key: string, now: number): StoredResult | undefined;
  /** The result of a command that changed nothing else. Throws when it cannot be written. */
  saveResult(result: KeyedResult, now: number): void;
  markDelivered(interactionId: string, at: number): void;
  /** Everything goes but the fact that this session existed. */
  erase(info: SessionInfo): void;
}

/** What a connection carries through hibernation. */
export type Attachment =
  | {
      readonly role: 'subscriber';
      readonly caller: Caller;
      /** The credential and those it was minted from: revoking any of them ends the connection. */
      readonly chain: readonly string[];
      readonly expiresAt: number | null;
      readonly timeouts: Timeouts;
      /** As it was set when the connection began. */
      readonly forbidSelfApproval?: boolean;
      /** A stream held for somebody by the stateless worker; counted apart from real sockets. */
      readonly held: boolean;
      readonly malformed: number;
      /** Bytes of its welcome and replay, once these are over; left out where they are few. */
      readonly replayed?: number;
    }
  | {
      readonly role: 'waiter';
      readonly interactionId: string;
      readonly until: number;
      readonly agent: boolean;
      /** As a subscriber's. */
      readonly chain: readonly string[];
    };

export interface Socket {
  readonly attachment: Attachment;
  attach(attachment: Attachment): void;
  /** Throws when the other side is gone; nothing else is known about delivery. */
  send(text: string): void;
  close(code: number, reason: string): void;
}

export interface Sockets {
  all(): Socket[];
  /**
   * Those that were closed here and not yet by the other side, which reads everything before the close.
   * Left out where subscribers are in this process and take what they are sent at once.
   */
  closing?(): Socket[];
}

export interface ReportReceiver {
  /** Resolves to the head the workspace now knows; lower than told means "tell me from there". */
  report(report: Report): Promise<number | AnotherLog>;
}

export interface SessionAlarm {
  /** When it is set to fire, if it is. */
  readonly armedAt: number | null;
  arm(at: number): void;
}

/** What the built-in agent works with. */
export interface AgentPorts {
  /** Undefined where none was configured. */
  readonly model: { readonly port: Model; readonly name: string } | undefined;
  readonly httpTools: HttpTools;
  readonly allowPrivateTools: boolean;
}

/** A root has used up what it may ask for. */
export interface Overrun {
  readonly retryAfterSeconds: number;
  /** How many beyond the limit this one is, from 1. */
  readonly times: number;
}

export interface SessionPorts {
  readonly store: SessionStore;
  readonly sockets: Sockets;
  readonly workspace: ReportReceiver;
  readonly alarm: SessionAlarm;
  readonly now: () => number;
  readonly freshId: () => string;
  readonly agent?: AgentPorts;
  /** Counts a frame for the root of its credential; left out, frames are not limited. */
  readonly countFrame?: (root: string) => Overrun | undefined;
  readonly later: (ms: number, work: () => void) => void;
  /** Once what is being done now is done, before anything else is; left out, after 0 ms. */
  readonly soon?: (work: () => void) => void;
  readonly warn: (message: string, evidence: unknown) => void;
}
