/**
 * The one interface of a client to sessions (TRN-1).
 *
 * Components, scripts and agents receive a transport and do not depend on its kind: `HttpTransport` speaks to a server, or
 * to an `InProcessHost` in the same process. A refusal and a failed connection reject with a `ClientError`.
 */
import type * as wire from '../protocol/types.ts';
import type { InboxFilter } from '../protocol/inbox-filter.ts';
import type { TurnEvent } from './message-stream/turn-event.ts';
import type { ClientError } from './errors.ts';

/** An abort ends the wait; the server may have done the work all the same. */
export interface RequestOptions {
  readonly signal?: AbortSignal | undefined;
}

export interface AttachOptions extends RequestOptions {
  /** Wraps the `fetch` of the transport for this request, for example to say how much of the file is sent. */
  readonly wrapFetch?: ((usual: typeof globalThis.fetch) => typeof globalThis.fetch) | undefined;
}

export interface WaitOptions extends RequestOptions {
  readonly waitSeconds?: number | undefined;
  /** The call that waits: it does not wait for what another call of its agent has by now. */
  readonly toolCallId?: string | undefined;
}

/** A repeat with the same key returns the result of the first call. */
export interface WriteOptions extends RequestOptions {
  readonly idempotencyKey?: string | undefined;
}

/** The interaction has an outcome. `interaction.settledBy` says whose it is (TRN-3). */
export interface Settled {
  readonly ok: true;
  readonly interaction: wire.Interaction;
  /** False: another caller settled it first, and `interaction` has that outcome. */
  readonly isMine: boolean;
}

/** The record, open or settled before; or the decision of a rule or of the mode, without a record. */
export type Opened =
  | { readonly type: 'interaction'; readonly interaction: wire.Interaction }
  | { readonly type: 'decided'; readonly decision: wire.JsonObject };

/** Of one request of a batch. */
export type BatchOpened =
  | ({ readonly ok: true } & Opened)
  | {
      readonly ok: false;
      readonly code: wire.ErrorCode;
      readonly message: string;
      readonly details?: wire.JsonObject;
    };

/** The destination of a person's text. */
export type Routed =
  | { readonly routed: 'interaction'; readonly interactionId: string; readonly message: string }
  | { readonly routed: 'queued'; readonly messageId: string }
  /** `turnId` belongs to the built-in agent; an agent elsewhere begins its own turn. */
  | { readonly routed: 'turn'; readonly messageId?: string; readonly turnId?: string }
  | { readonly routed: 'command'; readonly cancelled: number };

/** The model reads `output`; `isError` marks it as a failure of the tool. */
export interface ToolResult {
  readonly output: string;
  readonly isError?: boolean | undefined;
}

/** The name is what people read; without a media type the file is bytes. */
export interface FileToAttach {
  readonly name: string;
  readonly mediaType?: string | undefined;
  readonly bytes: Blob | Uint8Array<ArrayBuffer>;
}

/** Ids of files that `attach` has stored. */
export interface WithAttachments {
  readonly attachments?: readonly string[] | undefined;
}

/** The events that follow from a message. Leaving the loop early loses nothing (STR-3). */
export interface MessageStream extends AsyncIterable<TurnEvent> {
  readonly routed: Promise<Routed>;
}

export type PlanDecision = 'edit' | 'clean_edit' | 'default' | 'adjust';
export type AnswersByIndex = Readonly<Record<string, string | readonly string[]>>;

/** The digest of the input that a person saw; an answer to a changed request is refused. */
export interface Shown {
  readonly inputDigest?: string | undefined;
}

export type BatchDecision = Shown & { readonly answer: wire.JsonObject } & (
    | { readonly interactionId: string }
    | { readonly toolCallId: string }
  );
/** One of several sessions. A repeat with its key gets the first result again. */
export interface InboxDecision extends Shown {
  readonly sessionId: string;
  readonly interactionId: string;
  readonly answer: wire.JsonObject;
  readonly idempotencyKey?: string | undefined;
}
export type BatchResult =
  | { readonly ok: true; readonly interaction: wire.Interaction }
  | { readonly ok: false; readonly code: string; readonly message: string };

export interface Cancellation {
  readonly reason: string;
  /** Cancels only if this call still has the interaction. */
  readonly toolCallId?: string | undefined;
}

export interface Transport {
  // Sessions
  createSession(input?: wire.SessionInput, how?: WriteOptions): Promise<wire.SessionView>;
  sessions(page?: wire.SessionsOptions): Promise<wire.SessionsPage>;
  /** For all people; a request or a message that comes in brings the session back. */
  archive(sessionId: string, isArchived: boolean): Promise<wire.SessionView>;
  /** For this person alone. */
  pin(sessionId: string, isPinned: boolean): Promise<void>;
  snapshot(sessionId: string): Promise<wire.Snapshot>;
  /** Replaces `timeouts` and `metadata` whole; fields that are left out stay. */
  updateSession(sessionId: string, changes: wire.SessionChanges): Promise<wire.SessionView>;
  rename(sessionId: string, title: string): Promise<wire.SessionView>;
  setMode(sessionId: string, mode: wire.PermissionMode): Promise<wire.SessionView>;
  deleteSession(sessionId: string): Promise<void>;
  clear(sessionId: string, how?: WriteOptions): Promise<{ readonly cancelled: number }>;
  interrupt(sessionId: string, how?: WriteOptions): Promise<{ readonly cancelled: number }>;
  rules(sessionId: string): Promise<readonly wire.Rule[]>;
  revokeRule(sessionId: string, ruleId: string): Promise<void>;
  /** Of the workspace; needs `admin`. */
  revokeWorkspaceRule(ruleId: string): Promise<void>;

  // The built-in agent of a session
  files(sessionId: string): Promise<readonly wire.FileEntry[]>;
  file(sessionId: string, path: string): Promise<wire.SessionFile>;
  /** Resumes a failed turn where it failed; resolves with the id of the new turn. */
  retry(sessionId: string, how?: WriteOptions): Promise<string>;
  /** Takes back the last summary of the conversation with the built-in agent; `seq` is that of its event. */
  restoreConversation(sessionId: string, seq: number, how?: WriteOptions): Promise<void>;
  /** Removes a message that waits for the agent. */
  removeQueued(sessionId: string, messageId: string): Promise<void>;

  // Events and messages of a session
  /** Events whose text has these words, newest first; a page may be empty and have a `next`. */
  search(sessionId: string, q: string, before?: number): Promise<wire.SearchPage>;
  /** The events after a cursor, as many as one page has. */
  events(
    sessionId: string,
    page: { readonly after: number; readonly limit?: number },
    how?: RequestOptions,
  ): Promise<wire.EventsPage>;
  /** A negative `after` begins with so many of the last events, at most 1,000; see `startOfLog`. */
  subscribe(sessionId: string, subscriber: Subscriber, after?: number): Subscription;
  sendMessage(
    sessionId: string,
    text: string,
    how?: WriteOptions & WithAttachments & { readonly replyTo?: string | undefined },
  ): MessageStream;
  /** Stores a file for a message or an answer of this session, which then names it; a repeat changes nothing. */
  attach(sessionId: string, file: FileToAttach, how?: AttachOptions): Promise<wire.AttachedFile>;
  /** The bytes of an attached file. */
  attachedFile(
    sessionId: string,
    attachmentId: string,
    how?: RequestOptions,
  ): Promise<Uint8Array<ArrayBuffer>>;

  // The conversation of a command-line agent
  /** A repeat changes nothing; the error `cli_session_taken` names the session that has it. */
  mapCliSession(sessionId: string, cli: wire.CliSession): Promise<wire.SessionView>;
  /** Rejects with `not_found` if no session has it. */
  findCliSession(provider: string, cliSessionId: string): Promise<wire.SessionEntry>;
  /**
   * Entries that are stored already change nothing. `importTranscript` sends a whole transcript. `lines` are the JSON
   * texts of the entries, if the caller has them: a page is large, and writing it twice takes time.
   */
  importHistory(
    sessionId: string,
    page: wire.HistoryImport,
    how?: RequestOptions & { readonly lines?: readonly string[] },
  ): Promise<wire.HistoryExtent>;
  history(sessionId: string, page?: wire.PageOptions): Promise<wire.HistoryPage>;

  // A person answers
  answer(
    sessionId: string,
    interactionId: string,
    answer: wire.JsonObject,
    how?: WriteOptions,
  ): Promise<Settled>;
  submitAnswers(
    sessionId: string,
    toolCallId: string,
    answers: AnswersByIndex,
    shown?: Shown,
  ): Promise<{ readonly ok: true }>;
  approveTool(sessionId: string, toolCallId: string, shown?: Shown): Promise<{ readonly ok: true }>;
  denyTool(
    sessionId: string,
    toolCallId: string,
    reason?: string,
    shown?: Shown,
  ): Promise<{ readonly ok: true }>;
  reviewPlan(
    sessionId: string,
    interactionId: string,
    decision: PlanDecision,
    feedback?: string,
  ): Promise<Settled>;
  submitForm(sessionId: string, interactionId: string, values: wire.JsonObject): Promise<Settled>;
  answerText(
    sessionId: string,
    interactionId: string,
    text: string,
    how?: WithAttachments,
  ): Promise<Routed>;
  decide(sessionId: string, decisions: readonly BatchDecision[]): Promise<readonly BatchResult[]>;
  extend(sessionId: string, interactionId: string): Promise<wire.Interaction>;
  /** Says that one looks at a request, for some minutes; with `release` no longer. Others may answer all the same. */
  claim(
    sessionId: string,
    interactionId: string,
    how?: { readonly release?: true },
  ): Promise<wire.Interaction>;
  /** Asks others in place of those who are asked now. */
  handOver(
    sessionId: string,
    interactionId: string,
    to: { readonly audience: wire.Audience; readonly note?: string },
  ): Promise<wire.Interaction>;
  /** Takes the caller's approval back, while other approvals are missing. */
  withdraw(sessionId: string, interactionId: string, how?: WriteOptions): Promise<wire.Interaction>;
  /** Takes a decision back, while no agent has it; resolves with the request that is open again. */
  undo(sessionId: string, interactionId: string, how?: WriteOptions): Promise<wire.Interaction>;
  cancel(sessionId: string, interactionId: string, why?: Cancellation): Promise<Settled>;
  cancelAll(
    sessionId: string,
    why?: Pick<Cancellation, 'reason'>,
  ): Promise<{ readonly cancelled: number }>;

  // An agent asks
  open(sessionId: string, request: wire.InteractionRequest, how?: WriteOptions): Promise<Opened>;
  /** Up to 64 requests in one; a result for each, in their order. A refused one does not stop the others. */
  openAll(
    sessionId: string,
    requests: readonly wire.InteractionRequest[],
    how?: WriteOptions,
  ): Promise<readonly BatchOpened[]>;
  /** The input of an approval that is too large for its record (`wholeInput`), as canonical JSON. */
  wholeInput(sessionId: string, interactionId: string): Promise<string>;
  /** The current record; with `waitSeconds`, the settled one if the outcome comes in time. */
  interaction(
    sessionId: string,
    interactionId: string,
    how?: WaitOptions,
  ): Promise<wire.Interaction>;
  /** Before a call acts on an outcome: rejects with `reassigned` if another call of the agent has it. */
  acknowledge(
    sessionId: string,
    interactionId: string,
    toolCallId: string,
    how?: RequestOptions,
  ): Promise<wire.Interaction>;
  /** What a link was opened for has happened; the credential that opened the question says so. */
  complete(sessionId: string, interactionId: string, how?: WriteOptions): Promise<wire.Interaction>;
  appendEvents(
    sessionId: string,
    events: readonly wire.AppendedEvent[],
    how?: WriteOptions,
  ): Promise<number>;
  /** The result of a client tool of the built-in agent; the turn goes on once all results are there. */
  postToolResult(
    sessionId: string,
    toolCallId: string,
    result: ToolResult,
    how?: WriteOptions,
  ): Promise<number>;

  // The inbox
  /** With a filter, only what matches; `total` counts everything open all the same. */
  inbox(page?: wire.PageOptions & InboxFilter): Promise<wire.InboxPage>;
  /** One result for each decision, in their order; a refused one does not stop the others. */
  decideInbox(decisions: readonly InboxDecision[]): Promise<readonly BatchResult[]>;
  /** What this subject decided, newest first; `of: 'everyone'` needs `admin`. */
  decisions(page?: wire.PageOptions & wire.DecisionsQuery): Promise<wire.DecisionsPage>;
  subscribeInbox(subscriber: InboxSubscriber): InboxSubscription;

  /** Ends every subscription; later calls reject. */
  close(): void;
}

/** The cursor with which a subscription begins, once the head is known. */
export function startOfLog(after: number, head: number): number {
  return after < 0 ? Math.max(0, head + after) : after;
}

/** Streamed text of an answer. It is not in the log, and may be lost with the connection. */
export interface Delta {
  readonly turnId?: string | undefined;
  readonly responseId?: string | undefined;
  readonly text: string;
}

/** The reason that no event arrives at the moment. */
export type PauseReason = 'hidden' | 'offline' | 'unauthenticated';

export type ConnectionStatus =
  | { readonly type: 'connecting' }
  /** Connected; events of the past are still arriving. */
  | { readonly type: 'replaying' }
  | { readonly type: 'live' }
  | { readonly type: 'waiting'; readonly retryAt: number; readonly attempt: number }
  | { readonly type: 'paused'; readonly reason: PauseReason }
  /** Final; without an error after `close()`. */
  | { readonly type: 'closed'; readonly error?: ClientError };

/**
 * Receives a session: its present state, then the log after the cursor, then new events, in order of `seq`, each once,
 * however often the connection is lost.
 */
export interface Subscriber {
  /** The session as it is now: at every connect, before any event. */
  readonly welcome?: (snapshot: wire.Snapshot) => void;
  readonly events?: (events: readonly wire.SessionEvent[]) => void;
  readonly delta?: (delta: Delta) => void;
  /** Who looks just now, this client's person included. It ends with the connection; a stream brings none. */
  readonly presence?: (presence: wire.Presence) => void;
  /** What has changed of the agents of interactions: whether one waits, and since when one has the outcome. */
  readonly agents?: (agents: readonly wire.AgentState[]) => void;
  readonly status?: (status: ConnectionStatus) => void;
}

export interface Subscription {
  /** The `seq` of the last event that was delivered. */
  readonly cursor: number;
  readonly status: ConnectionStatus;
  /**
   * The person looks at the session, or at a request of it, until `look(null)`; again after each reconnect. Only who
   * looks receives `presence`, and a stream sends nothing.
   */
  look(at: wire.Looking | null): void;
  /** Connects now, for example after a sign-in or a click. */
  reconnect(): void;
  close(): void;
}

/**
 * The inbox: its first page at every connect, then changes.
 *
 * A page from `Transport.inbox` may be older than a change that arrived before it: apply no page over a newer change. An
 * interaction that was removed never comes back.
 */
export interface InboxSubscriber {
  /** The inbox as it is now; it replaces everything from before a reconnect. */
  readonly inbox?: (page: wire.InboxPage) => void;
  readonly changed?: (change: wire.InboxChange) => void;
  readonly status?: (status: ConnectionStatus) => void;
}

export interface InboxSubscription {
  readonly status: ConnectionStatus;
  /** Connects now, for example after a sign-in or a click. */
  reconnect(): void;
  close(): void;
}
