/**
 * A question without its wait, for agents that do not live as long as a person thinks: opened by one call of the program, and
 * its outcome taken by another.
 *
 * 1. A failure after the opening does not lose the question: the caller has its record.
 * 2. An abort ends the wait and leaves the question open.
 */
import { abortedError, ClientError } from '../errors.ts';
import { freshKey } from '../requests/http-calls.ts';
import type { Interaction, InteractionRequest } from '../../protocol/types.ts';
import {
  acknowledge,
  type AskResult,
  type PendingAsk,
  throwIfReassigned,
} from './ask-until-settled.ts';
import {
  type ApprovalOutcome,
  approvalOutcome,
  type FormOutcome,
  formOutcome,
  type LinkOutcome,
  linkOutcome,
  type PlanOutcome,
  planOutcome,
  type QuestionOutcome,
  questionOutcome,
} from './outcomes.ts';
import type { AskOptions, Form, LinkToOpen, Question, ToolCall } from './requests.ts';
import { retryUntil } from './retry-until.ts';

/** What `approve`, `ask`, `reviewPlan` and `form` ask, as one value that a program can keep. */
export type AskRequest =
  | ({ readonly kind: 'approval' } & ToolCall)
  | { readonly kind: 'question'; readonly questions: readonly Question[] }
  | { readonly kind: 'plan_review'; readonly plan?: string | undefined }
  | ({ readonly kind: 'form' } & Form)
  | ({ readonly kind: 'link' } & LinkToOpen);

interface Outcomes {
  approval: ApprovalOutcome;
  question: QuestionOutcome;
  plan_review: PlanOutcome;
  form: FormOutcome;
  link: LinkOutcome;
}

/** Still open, or the outcome: of a person, a deadline, or a rule or the mode, which ask no person. */
export type OpenResult<Request extends AskRequest = AskRequest> =
  | { readonly status: 'open'; readonly interaction: Interaction }
  | { readonly status: 'settled'; readonly outcome: Outcomes[Request['kind']] };

export interface OpenOptions extends Omit<AskOptions, 'waitAtMostMs' | 'onOpened'> {
  /** How long to wait for the outcome. Default: not at all. */
  readonly waitSeconds?: number | undefined;
}

export interface OutcomeOptions
  extends Pick<OpenOptions, 'waitSeconds' | 'signal' | 'giveUpAfterMs'> {
  /** The id that the question was opened with, if it had one; needed for what a killed agent left behind. */
  readonly toolCallId?: string | undefined;
}

const TOOL_NAMES = {
  question: 'AskUserQuestion',
  plan_review: 'ExitPlanMode',
  form: 'Form',
  link: 'Link',
} as const;

/** The request as the server takes it. */
export function bodyOf(request: AskRequest): InteractionRequest {
  const named = request.kind === 'approval' ? {} : { toolName: TOOL_NAMES[request.kind] };
  return { ...named, ...request } as InteractionRequest;
}

export function outcomeOf<Request extends AskRequest>(
  request: Request,
  ended: AskResult,
): Outcomes[Request['kind']] {
  const read = (asked: AskRequest) => {
    switch (asked.kind) {
      case 'approval':
        return approvalOutcome(asked, ended);
      case 'question':
        return questionOutcome(asked.questions, ended);
      case 'plan_review':
        return planOutcome(asked.plan, ended);
      case 'form':
        return formOutcome(ended);
      case 'link':
        return linkOutcome(asked.url, ended);
    }
  };
  return read(request) as Outcomes[Request['kind']];
}

/** The decision, or the record as it is after the wait. */
export async function openRequest(
  ask: PendingAsk,
  body: InteractionRequest,
  waitSeconds: number,
): Promise<AskResult> {
  if (ask.signal?.aborted === true) throw abortedError(ask.signal.reason);
  const idempotencyKey = freshKey();
  const opened = await retryUntil(
    (signal) => ask.session.open(body, { idempotencyKey, signal }),
    ask,
  );
  if (opened.type === 'decided') return opened;
  throwIfReassigned(opened.interaction, body);
  return waitBriefly(ask, opened.interaction, { body, waitSeconds });
}

export async function readOutcome(
  ask: PendingAsk,
  interactionId: string,
  body: Pick<InteractionRequest, 'toolCallId'>,
  waitSeconds: number,
): Promise<AskResult> {
  const sessionId = await ask.session.id();
  const found = await retryUntil(
    (signal) => ask.transport.interaction(sessionId, interactionId, { signal }),
    ask,
  );
  throwIfReassigned(found, body);
  return waitBriefly(ask, found, { body, waitSeconds });
}

async function waitBriefly(
  ask: PendingAsk,
  opened: Interaction,
  { body, waitSeconds }: { body: Pick<InteractionRequest, 'toolCallId'>; waitSeconds: number },
): Promise<AskResult> {
  const { transport, session, signal } = ask;
  let interaction = opened;
  if (opened.status === 'open' && waitSeconds > 0) {
    try {
      const sessionId = await session.id();
      const how = { waitSeconds, signal };
      interaction = await transport.interaction(sessionId, opened.interactionId, how);
      throwIfReassigned(interaction, body);
    } catch (cause) {
      const mayPass = cause instanceof ClientError && cause.retry !== 'never';
      if (!mayPass) throw cause;
    }
  }
  return { type: 'interaction', interaction: await acknowledge(ask, interaction, body) };
}
