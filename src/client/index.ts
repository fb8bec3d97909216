/**
 * `holdpoint/client`: subscribe to sessions, answer interactions, and fold events into what a screen shows.
 *
 * ```ts
 * const transport = new HttpTransport({ url: 'https://holdpoint.example', token });
 * let timeline = emptyTimeline();
 * transport.subscribe('demo', {
 *   events: (events) => show((timeline = foldEvents(timeline, events))),
 *   delta: (delta) => show((timeline = foldDelta(timeline, delta))),
 * });
 * await transport.approveTool('demo', 'call-1');
 * ```
 */
export { ClientError, type LocalErrorCode } from './errors.ts';
export { HttpTransport } from './http-transport.ts';
export type { HttpTransportOptions } from './connection/subscriptions.ts';
export { importTranscript, type ImportOptions } from './import-transcript.ts';
export type { InboxSubscriber, InboxSubscription } from './transport.ts';
export { TIMING, type Timing } from './backoff.ts';
export {
  emptyReplica,
  type FoldResult,
  foldLog,
  foldAgents,
  foldWelcome,
  type Gap,
  type Replica,
  type StatusReport,
} from './state/replica.ts';
export {
  isTyping,
  isWaitingForPerson,
  type SessionStatus,
  statusOf,
} from './state/replica.ts';
export type { SocketClass, SocketLike } from './connection/websocket-link.ts';
export type {
  ConnectionStatus,
  Delta,
  PauseReason,
  Subscriber,
  Subscription,
} from './transport.ts';
export * from './timeline/index.ts';
export type { Token } from './token-source.ts';
export type {
  AnswersByIndex,
  BatchDecision,
  BatchResult,
  FileToAttach,
  WithAttachments,
  WriteOptions,
  MessageStream,
  Opened,
  RequestOptions,
  WaitOptions,
  PlanDecision,
  Shown,
  Routed,
  Settled,
  Transport,
} from './transport.ts';
export type { TurnEvent } from './message-stream/turn-event.ts';
export type {
  AppendedEvent,
  AttachedFile,
  CliSession,
  CliSessionView,
  Audience,
  Correlate,
  Correlated,
  ErrorCode,
  EventOf,
  EventType,
  HistoryEntry,
  HistoryExtent,
  HistoryImport,
  HistoryPage,
  InboxChange,
  InboxEntry,
  InboxPage,
  Interaction,
  InteractionRequest,
  JsonObject,
  Looking,
  Outcome,
  PageOptions,
  PermissionMode,
  AgentState,
  Presence,
  Rule,
  SessionEntry,
  SessionEvent,
  SessionChanges,
  SessionInput,
  SessionsPage,
  SessionView,
  Snapshot,
} from '../protocol/types.ts';
export type { Environment } from './environment.ts';

// For agents: a promise that resolves when a person has answered.
export { answersByText } from './agent/outcomes.ts';
export { connect, type ConnectOptions } from './agent/connect.ts';
export { Holdpoint, type HoldpointOptions } from './agent/holdpoint.ts';
export { fitToolCallId } from '../protocol/ids.ts';
export type {
  AskedTogether,
  AskRequest,
  KindRequest,
  AskTogether,
  OpenOptions,
  OpenResult,
  OutcomeOptions,
} from './agent/holdpoint.ts';
export type {
  ApprovalOutcome,
  DecidedBy,
  FormOutcome,
  LinkOutcome,
  NotAllowed,
  PlanOutcome,
  QuestionOutcome,
} from './agent/outcomes.ts';
export type {
  ApprovalChoice,
  AskOptions,
  Form,
  OnExpire,
  Question,
  ToolCall,
} from './agent/requests.ts';
export type { RetryInfo } from './agent/retry-until.ts';
