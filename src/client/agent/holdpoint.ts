/**
 * What an agent holds: it asks, and the promise is kept until somebody answered.
 *
 * ```ts
 * const holdpoint = connect({ url, token, session: 'deploy' });
 * const outcome = await holdpoint.approve({ toolName: 'Bash', input: { command: 'make deploy' } });
 * if (outcome.outcome === 'approved') await run(outcome.updatedInput);
 * ```
 *
 * What a person, a deadline or a rule decides is a value. Thrown is what kept the question from being
 * asked or answered: a refusal, an abort, patience that is over. Whoever catches one runs nothing.
 */
import type { Timing } from '../backoff.ts';
import { freshKey } from '../requests/http-calls.ts';
import type { Transport } from '../transport.ts';
import type { InteractionRequest } from '../../protocol/types.ts';
import { askAndWait, type Ended } from './ask-and-wait.ts';
import {
  type ApprovalOutcome,
  approvalOutcome,
  type FormOutcome,
  formOutcome,
  type PlanOutcome,
  planOutcome,
  type QuestionOutcome,
  questionOutcome,
} from './outcomes.ts';
import type { RetryLimits, RetryInfo } from './retry-until.ts';
import type { AskOptions, Form, Question, ToolCall } from './requests.ts';
import { EnsuredSession } from './ensure-session.ts';

export interface HoldpointOptions extends RetryLimits {
  readonly transport: Transport;
  /** Begun if it is not there; left out, the first question begins one. */
  readonly session?: string | undefined;
  /** Of a session that is begun. */
  readonly title?: string | undefined;
  /** Told of every try that came to nothing, before the next. */
  readonly onRetry?: ((trouble: RetryInfo) => void) | undefined;
  /** Between tries: from 0 to `baseMs`, doubled each time up to `capMs`. */
  readonly pace?: Pick<Timing, 'baseMs' | 'capMs'> | undefined;
}

const PACE = { baseMs: 500, capMs: 15_000 };

export class Holdpoint {
  readonly transport: Transport;
  readonly #options: HoldpointOptions;
  readonly #session: EnsuredSession;
  /** A run that fails is aborted and closed in one moment: its cancels must get out before. */
  readonly #running = new Map<Promise<Ended>, AbortSignal | undefined>();

  constructor(options: HoldpointOptions) {
    this.transport = options.transport;
    this.#options = options;
    this.#session = new EnsuredSession(options.transport, options);
  }

  /** The id of the session; asks for a new one if none was named. */
  session(): Promise<string> {
    return this.#session.id();
  }

  /** One to four questions, answered together. */
  async ask(questions: readonly Question[], how: AskOptions = {}): Promise<QuestionOutcome> {
    const request = { kind: 'question', toolName: 'AskUserQuestion', questions };
    return questionOutcome(questions, await this.#settle(request, how));
  }

  /** May this tool run with this input? A rule or the session's mode may say so without a person. */
  async approve(call: ToolCall, how: AskOptions = {}): Promise<ApprovalOutcome> {
    // Asked and compared later: what the caller does to it meanwhile is neither.
    const kept = structuredClone(call);
    const ended = await this.#settle(
      { kind: 'approval', ...kept },
      { ...how, toolName: undefined },
    );
    return approvalOutcome(kept, ended);
  }

  async reviewPlan(plan: string | undefined, how: AskOptions = {}): Promise<PlanOutcome> {
    const request = { kind: 'plan_review', toolName: 'ExitPlanMode', plan };
    return planOutcome(plan, await this.#settle(request, how));
  }

  async form(form: Form, how: AskOptions = {}): Promise<FormOutcome> {
    return formOutcome(await this.#settle({ kind: 'form', toolName: 'Form', ...form }, how));
  }

  /**
   * Ends the transport, once what was aborted is taken back. Other questions stay open, and the same
   * `toolCallId` finds them again.
   */
  async close(): Promise<void> {
    const leaving = [...this.#running].filter(([, signal]) => signal?.aborted === true);
    await Promise.allSettled(leaving.map(([ended]) => ended));
    this.transport.close();
  }

  #settle(asked: InteractionRequest, how: AskOptions): Promise<Ended> {
    const { signal, onOpened, giveUpAfterMs, waitAtMostMs, toolName, ...shared } = how;
    const { toolCallId = `call-${freshKey()}`, ...rest } = shared;
    const given = this.#options;
    const patience = giveUpAfterMs ?? given.giveUpAfterMs ?? Number.POSITIVE_INFINITY;
    const asking = {
      transport: this.transport,
      session: this.#session,
      pace: given.pace ?? PACE,
      onRetry: given.onRetry,
      giveUpAfterMs: patience,
      waitAtMostMs: waitAtMostMs ?? given.waitAtMostMs ?? patience,
      signal,
      onOpened,
    };
    const request = { ...asked, ...(toolName !== undefined && { toolName }), ...rest, toolCallId };
    const ended = askAndWait(asking, request as InteractionRequest);
    this.#running.set(ended, signal);
    return ended.finally(() => this.#running.delete(ended));
  }
}
