/** For agents: a person is asked, and a promise is kept until they answered. */
export { answersByText } from './answers-by-text.ts';
export { connect, type ConnectOptions } from './connect.ts';
export { Holdpoint, type HoldpointOptions } from './holdpoint.ts';
export type {
  ApprovalOutcome,
  DecidedBy,
  FormOutcome,
  NotAllowed,
  PlanOutcome,
  QuestionOutcome,
} from './outcomes.ts';
export type { AskOptions, Form, OnExpire, Question, ToolCall } from './requests.ts';
export type { RetryInfo } from './retry-until.ts';
