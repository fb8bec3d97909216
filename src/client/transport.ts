/**
 * Everything a surface does with sessions, whichever way it reaches them (TRN-1).
 *
 * A component, a script or an agent is given one of these and never asks which one: `HttpTransport`
 * speaks to a server, or to an `InProcessHost` in its own process. Whatever is
 * refused or cannot be reached rejects with a `ClientError`.
 */
import type {
  AppendedEvent,
  FileEntry,
  Interaction,
  InteractionRequest,
  InboxPage,
  JsonObject,
  PageOptions,
  PermissionMode,
  Rule,
  SessionChanges,
  SessionFile,
  SessionInput,
  SessionsPage,
  SessionView,
  Snapshot,
} from '../protocol/types.ts';
import type {
  InboxSubscriber,
  InboxSubscription,
  Subscriber,
  Subscription,
} from './subscription.ts';
import type { TurnEvent } from './message-stream/turn-event.ts';

/** Whoever stops waiting says so; what was asked for may have happened all the same. */
export interface RequestOptions {
  readonly signal?: AbortSignal | undefined;
}

/** Repeating a call with the key of an earlier one gets the earlier one's result. */
export interface WriteOptions extends RequestOptions {
  readonly idempotencyKey?: string | undefined;
}

/** An answer is in. Who was faster with another one is in `interaction.settledBy` (TRN-3). */
export interface Settled {
  readonly ok: true;
  readonly interaction: Interaction;
  /** False: somebody else had settled it, and `interaction` is what they decided. */
  readonly isMine: boolean;
}

/** Asked, decided by a rule or the mode without asking, or settled before. */
export type Opened =
  | { readonly type: 'interaction'; readonly interaction: Interaction }
  | { readonly type: 'decided'; readonly decision: JsonObject };

/** Where the text of a person went. */
export type Routed =
  | { readonly routed: 'interaction'; readonly interactionId: string; readonly message: string }
  | { readonly routed: 'queued'; readonly messageId: string }
  /** `turnId` is the built-in agent's; one that runs elsewhere begins its own. */
  | { readonly routed: 'turn'; readonly messageId?: string; readonly turnId?: string }
  | { readonly routed: 'command'; readonly cancelled: number };

/** `output` is what the model reads; with `isError` it is told that the tool failed. */
export interface ToolResult {
  readonly output: string;
  readonly isError?: boolean | undefined;
}

/** What follows from a message, as it happens; leaving the loop early loses nothing (STR-3). */
export interface MessageStream extends AsyncIterable<TurnEvent> {
  readonly routed: Promise<Routed>;
}

export type PlanDecision = 'edit' | 'clean_edit' | 'default' | 'adjust';
export type AnswersByIndex = Readonly<Record<string, string | readonly string[]>>;

/** What a person was shown, as its record says: an answer to anything else is refused. */
export interface Shown {
  readonly inputDigest?: string | undefined;
}

export type BatchDecision = Shown & { readonly answer: JsonObject } & (
    | { readonly interactionId: string }
    | { readonly toolCallId: string }
  );
export type BatchResult =
  | { readonly ok: true; readonly interaction: Interaction }
  | { readonly ok: false; readonly code: string; readonly message: string };

export interface Transport {
  // Sessions
  createSession(input?: SessionInput, how?: WriteOptions): Promise<SessionView>;
  sessions(page?: PageOptions): Promise<SessionsPage>;
  snapshot(sessionId: string): Promise<Snapshot>;
  /** Its deadlines by kind and its metadata are replaced whole; what is not named stays. */
  updateSession(sessionId: string, changes: SessionChanges): Promise<SessionView>;
  rename(sessionId: string, title: string): Promise<SessionView>;
  setMode(sessionId: string, mode: PermissionMode): Promise<SessionView>;
  deleteSession(sessionId: string): Promise<void>;
  clear(sessionId: string, how?: WriteOptions): Promise<{ readonly cancelled: number }>;
  interrupt(sessionId: string, how?: WriteOptions): Promise<{ readonly cancelled: number }>;
  rules(sessionId: string): Promise<readonly Rule[]>;
  revokeRule(sessionId: string, ruleId: string): Promise<void>;

  // The built-in agent of one
  files(sessionId: string): Promise<readonly FileEntry[]>;
  file(sessionId: string, path: string): Promise<SessionFile>;
  /** A turn that failed, from where it failed: the turn that goes on with it. */
  retry(sessionId: string, how?: WriteOptions): Promise<string>;
  /** A message that waits for the agent. */
  removeQueued(sessionId: string, messageId: string): Promise<void>;

  // What happens in one
  subscribe(sessionId: string, subscriber: Subscriber, after?: number): Subscription;
  sendMessage(
    sessionId: string,
    text: string,
    how?: WriteOptions & { readonly replyTo?: string | undefined },
  ): MessageStream;

  // A person answers
  answer(
    sessionId: string,
    interactionId: string,
    answer: JsonObject,
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
  submitForm(sessionId: string, interactionId: string, values: JsonObject): Promise<Settled>;
  answerText(sessionId: string, interactionId: string, text: string): Promise<Routed>;
  decide(sessionId: string, decisions: readonly BatchDecision[]): Promise<readonly BatchResult[]>;
  extend(sessionId: string, interactionId: string): Promise<Interaction>;
  cancel(sessionId: string, interactionId: string, reason?: string): Promise<Settled>;
  cancelAll(sessionId: string, reason?: string): Promise<{ readonly cancelled: number }>;

  // An agent asks
  open(sessionId: string, request: InteractionRequest, how?: WriteOptions): Promise<Opened>;
  /** As it is; with `waitSeconds` its outcome, if it comes in time. */
  interaction(
    sessionId: string,
    interactionId: string,
    how?: RequestOptions & { readonly waitSeconds?: number | undefined },
  ): Promise<Interaction>;
  appendEvents(
    sessionId: string,
    events: readonly AppendedEvent[],
    how?: WriteOptions,
  ): Promise<number>;
  /** What a client tool of the built-in agent gave back; its turn goes on once all results are there. */
  postToolResult(
    sessionId: string,
    toolCallId: string,
    result: ToolResult,
    how?: WriteOptions,
  ): Promise<number>;

  // Everything that waits
  inbox(page?: PageOptions): Promise<InboxPage>;
  subscribeInbox(subscriber: InboxSubscriber): InboxSubscription;

  /** Ends every subscription; nothing may be asked afterwards. */
  close(): void;
}
