/** The ports of a session. `platform/` implements each, and tests have a fake of each. */
import type { StoredConversation } from '../agent/conversation.ts';
import type { Model } from '../agent/model.ts';
import type { Run } from '../agent/run/run.ts';
import type { RunChange } from '../agent/run/run-draft.ts';
import type { HttpTools, SessionFiles } from '../agent/tools/ports.ts';
import type { CommandReply } from '../core/decision.ts';
import type { Report, ReportReply } from '../core/report.ts';
import type { SessionInfo } from '../core/state.ts';
import type { AttachedFile } from '../protocol/schema/attached-file.ts';
import type { Settler } from '../protocol/schema/actor.ts';
import type { AudiencePolicy, VoterStanding } from '../protocol/schema/audience-rule.ts';
import type { Caller } from '../protocol/caller.ts';
import type { HashText, HistoryLink } from '../protocol/history-digest.ts';
import type { SessionEvent } from '../protocol/schema/event.ts';
import type { Interaction } from '../protocol/schema/interaction.ts';
import type { Rule } from '../protocol/schema/rule.ts';
import type { Timeouts } from '../protocol/schema/session.ts';

export interface StoredSession {
  readonly info: SessionInfo;
  readonly head: number;
  /** The `seq` that the workspace had confirmed when the last log row was written. */
  readonly reportedSeq: number;
  /** The random name of this file; empty in a file from before files had names. */
  readonly incarnation: string;
  readonly open: readonly Interaction[];
  readonly rules: readonly Rule[];
  readonly run: Run | null;
}

/** The result of a command, kept under its idempotency key. */
export interface StoredResult {
  readonly bodyHash: string;
  readonly reply: CommandReply;
}

export type KeyedResult = StoredResult & { readonly key: string };

/** The position of a stored row among the entries of a CLI session. */
export interface HistoryRowHead extends HistoryLink {
  readonly first: number;
  readonly entries: number;
  readonly bytes: number;
}

/** Entries one after another, each as the line of its JSON text. */
export interface HistoryRow extends Omit<HistoryRowHead, 'bytes'> {
  readonly lines: readonly string[];
}

/** Replaces the rows of a CLI session that begin at `first` or later. */
export interface HistoryChange {
  /** From 1, in the order in which the CLI sessions were added. */
  readonly cli: number;
  readonly first: number;
  readonly rows: readonly HistoryRow[];
}

/** The input of an interaction that is too large for its record. */
interface HeldText {
  readonly interactionId: string;
  /** Canonical JSON. */
  readonly text: string;
}

/** From here on the call has the interaction, which is in `records` unless it is settled: then this delivers it. */
export interface Reassigned {
  readonly interactionId: string;
  readonly to: NonNullable<Interaction['reassignedTo']>;
}

/** The changes of one command, written whole or not at all. Without events, the run alone changes. */
export interface Commit {
  readonly now: number;
  readonly events: readonly SessionEvent[];
  /** The events as the text in which they are published: the members of an array, without its brackets. */
  readonly eventsJson: string;
  readonly reportedSeq: number;
  readonly records: readonly Interaction[];
  readonly info?: SessionInfo;
  /** The name of the file, in its first commit or when it turns out to be an older copy. */
  readonly incarnation?: string;
  readonly rulesAdded: readonly Rule[];
  readonly rulesRevoked: readonly string[];
  /** Absent if nothing changes for the built-in agent. */
  readonly agent?: RunChange;
  readonly keyedResult?: KeyedResult;
  readonly reassigned?: readonly Reassigned[];
  readonly history?: HistoryChange;
  readonly heldInputs?: readonly HeldText[];
  /** Files that a message or an answer of this command names: they stay as long as the session. */
  readonly usedFiles?: readonly string[];
}

/** Consecutive events as stored text: the members of a JSON array, without its brackets. */
export interface LogChunk {
  readonly json: string;
  readonly count: number;
  readonly lastSeq: number;
}

export interface SettledPage {
  readonly records: readonly Interaction[];
  /** Older records follow. */
  readonly hasMore: boolean;
}

export interface HistoryRows {
  /** In order, without their text. */
  list(cli: number): readonly HistoryRowHead[];
  lines(cli: number, first: number): readonly string[];
  /** Of all CLI sessions together. */
  bytes(): number;
}

export interface HeldInputs {
  /** From 0; undefined behind the last part, and where nothing is held. */
  part(interactionId: string, part: number): string | undefined;
  /** Of all together. */
  bytes(): number;
}

export interface StoredAttachedFile extends AttachedFile {
  readonly uploadedAt: number;
  /** A message or an answer names it. */
  readonly isUsed?: true;
}

/** Files of people. The bytes of a file never change: its id is made from them. */
export interface AttachedFiles {
  list(): readonly StoredAttachedFile[];
  find(attachmentId: string): StoredAttachedFile | undefined;
  /** Base64 that is decoded by itself, from 0; undefined behind the last part. */
  part(attachmentId: string, part: number): string | undefined;
  /** These three write whole or not at all, and throw if they cannot. */
  add(file: StoredAttachedFile, base64: string): void;
  touch(attachmentId: string, uploadedAt: number): void;
  remove(attachmentIds: readonly string[]): void;
}

export interface SessionStore {
  load(): StoredSession | null;
  /** Throws if the commit cannot be written; then nothing of it is stored. */
  commit(commit: Commit): void;
  /** Undefined at the end of the log. At least one event, then as many as fit. */
  readLog(after: number, fit: { maxEvents: number; maxBytes: number }): LogChunk | undefined;
  /** The last events before this `seq`, in the order of the log. At least one event, then as many as fit. */
  readLogBefore(before: number, fit: { maxEvents: number; maxBytes: number }): LogChunk | undefined;
  record(toolCallId: string, step: number): Interaction | undefined;
  /** Of a call without a record of its own, the one that was reassigned to it. */
  latestRecord(toolCallId: string): Interaction | undefined;
  /** Answered requests of agents with an instance, with this digest, which no call has acknowledged; oldest first. */
  unacknowledged(requestDigest: string): Interaction[];
  /** From here on no answer of before counts as unacknowledged. */
  forgetUnacknowledged(): void;
  /**
   * The last settled first, after `before`, the last record of the previous page. At least one record, then as many as
   * fit; none after an id that did not settle here.
   */
  settled(
    fit: { maxRecords: number; maxBytes: number },
    before?: { readonly interactionId: string },
  ): SettledPage;
  /** What the model reads: the last summary, and the messages after it in order. */
  conversation(): StoredConversation;
  readonly files: SessionFiles;
  readonly history: HistoryRows;
  readonly heldInputs: HeldInputs;
  readonly attachedFiles: AttachedFiles;
  findResult(key: string, now: number): StoredResult | undefined;
  /** Stores the result of a command without other changes. Throws if it cannot be written. */
  saveResult(result: KeyedResult, now: number): void;
  markDelivered(record: Pick<Interaction, 'interactionId'>, at: number): void;
  /** An agent could read the outcome without waiting for it. Throws if it cannot be written. */
  markShown(record: Pick<Interaction, 'interactionId'>, at: number): void;
  /** Throws if it cannot be written. */
  markReused(record: Pick<Interaction, 'interactionId'>, at: number): void;
  /** Throws if it cannot be written. */
  acknowledge(record: Pick<Interaction, 'interactionId' | 'requestDigest'>, at: number): void;
  /**
   * Deletes everything but the fact that this session existed, from the disk too. All of it has happened when this returns;
   * the promise settles when the platform has confirmed it.
   */
  erase(info: SessionInfo): Promise<void>;
}

export interface Looking {
  readonly since: number;
  /** Of a person with several tabs, the one that changed last says what they look at. */
  readonly changedAt: number;
  readonly interactionId?: string;
}

/** The data attached to a connection; it survives hibernation. */
export type Attachment =
  | {
      readonly role: 'subscriber';
      readonly caller: Caller;
      /** The credential and its ancestors: revoking any of them ends the connection. */
      readonly chain: readonly string[];
      readonly expiresAt: number | null;
      readonly timeouts: Timeouts;
      /** The setting at the time of the connection. */
      readonly forbidSelfApproval?: boolean;
      /** The stateless Worker holds this connection for a client's stream; it has a limit of its own. */
      readonly held: boolean;
      readonly malformed: number;
      /** Bytes of the finished welcome and replay; absent if they are few. */
      readonly replayed?: number;
      /** Present while the person looks at the session. */
      readonly looking?: Looking;
    }
  | {
      readonly role: 'waiter';
      readonly interactionId: string;
      /** Of a batch, whose outcomes are awaited in turn: what its credential opened at this time is awaited too. */
      readonly openedAt?: number;
      readonly until: number;
      readonly agent: boolean;
      /** The root of the credential that waits. */
      readonly root: string;
      /** As in a subscriber. */
      readonly chain: readonly string[];
    };

export interface Socket {
  readonly attachment: Attachment;
  attach(attachment: Attachment): void;
  /** Throws if the client is gone. Returning says nothing about delivery. */
  send(text: string): void;
  close(code: number, reason: string): void;
}

export interface Sockets {
  all(): Socket[];
  /**
   * Sockets that the session has closed and the client has not: a client reads everything before the close.
   * Absent if subscribers live in this process and read synchronously.
   */
  closing?(): Socket[];
}

export interface ReportReceiver {
  /** Resolves to the head that the workspace has confirmed; a lower one than reported means: report from there. */
  report(report: Report): Promise<ReportReply>;
}

export interface SessionAlarm {
  /** The time for which it is set, or null. */
  readonly armedAt: number | null;
  arm(at: number): void;
}

/** The ports of the built-in agent. */
export interface AgentPorts {
  /** Undefined if none is configured. */
  readonly model: { readonly port: Model; readonly name: string } | undefined;
  readonly httpTools: HttpTools;
  readonly allowPrivateTools: boolean;
}

/** A root has reached its rate limit. */
export interface Overrun {
  readonly retryAfterSeconds: number;
  /** The number of this frame beyond the limit, from 1. */
  readonly times: number;
}

export interface SessionPorts {
  readonly store: SessionStore;
  readonly sockets: Sockets;
  readonly workspace: ReportReceiver;
  readonly alarm: SessionAlarm;
  readonly now: () => number;
  readonly freshId: () => string;
  readonly hash: HashText;
  readonly agent?: AgentPorts;
  /** The workspace's rules and groups, at most 50 seconds old. If absent, there are none. */
  readonly readAudiences?: () => AudiencePolicy | Promise<AudiencePolicy>;
  /** What the workspace says now of those who voted, in their order. If absent, all of them count. */
  readonly readVoters?: (
    voters: readonly Settler[],
  ) => readonly VoterStanding[] | Promise<readonly VoterStanding[]>;
  /** Counts a frame for the root of its credential. If absent, frames are not limited. */
  readonly countFrame?: (root: string) => Overrun | undefined;
  /** The result takes the work back. */
  readonly later: (ms: number, work: () => void) => () => void;
  /** Runs `work` directly after the current task. If absent, `later(0, work)` runs it. */
  readonly soon?: (work: () => void) => void;
  readonly warn: (message: string, evidence: unknown) => void;
}
