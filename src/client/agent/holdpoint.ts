/**
 * The object of an agent: it asks people, and each call resolves with the outcome.
 *
 * ```ts
 * const holdpoint = connect({ url, token, session: 'deploy' });
 * const outcome = await holdpoint.approve({ toolName: 'Bash', input: { command: 'make deploy' } });
 * if (outcome.outcome === 'approved') await run(outcome.updatedInput);
 * ```
 *
 * Decisions of a person, a deadline or a rule are values. Refusals, aborts and exceeded time limits reject; a caller that
 * catches one must run nothing.
 */
import type { Timing } from '../backoff.ts';
import { freshKey } from '../requests/http-calls.ts';
import type { Transport } from '../transport.ts';
import { fitToolCallId } from '../../protocol/ids.ts';
import type { InteractionRequest } from '../../protocol/types.ts';
import { askUntilSettled, type AskResult, EnsuredSession } from './ask-until-settled.ts';
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
import type { RetryLimits, RetryInfo } from './retry-until.ts';
import type { AskOptions, Form, LinkToOpen, Question, ToolCall } from './requests.ts';

export interface HoldpointOptions extends RetryLimits {
  readonly transport: Transport;
  /** Created if it does not exist. Default: the first question creates a new session. */
  readonly session?: string | undefined;
  /** For a session that is created. */
  readonly title?: string | undefined;
  /** Called after every failed try. */
  readonly onRetry?: ((info: RetryInfo) => void) | undefined;
  /** Pauses between tries are random from 0 to `baseMs`, doubled each time up to `capMs`. */
  readonly timing?: Pick<Timing, 'baseMs' | 'capMs'> | undefined;
}

const ASK_BACKOFF = { baseMs: 500, capMs: 15_000 };

export class Holdpoint {
  readonly transport: Transport;
  readonly #options: HoldpointOptions;
  /** The name of this life of the agent. The next one finds the questions and answers that this one leaves behind (ADP-2). */
  readonly agentInstance = freshKey();
  readonly #session: EnsuredSession;
  /** A host may abort and close in the same moment; `close()` waits for the cancels of aborted questions. */
  readonly #running = new Map<Promise<AskResult>, AbortSignal | undefined>();

  constructor(options: HoldpointOptions) {
    this.transport = options.transport;
    this.#options = options;
    this.#session = new EnsuredSession(options.transport, options);
  }

  /** The id of the session; creates one if the options name none. */
  session(): Promise<string> {
    return this.#session.id();
  }

  /** Asks one to four questions, which are answered together. */
  async ask(questions: readonly Question[], how: AskOptions = {}): Promise<QuestionOutcome> {
    const request = { kind: 'question', toolName: 'AskUserQuestion', questions };
    return questionOutcome(questions, await this.#settle(request, how));
  }

  /** Asks whether this tool may run with this input. A rule or the mode of the session may decide without a person. */
  async approve(call: ToolCall, how: AskOptions = {}): Promise<ApprovalOutcome> {
    // The outcome is compared with this copy, which the caller cannot change during the wait.
    const copy = structuredClone(call);
    const ended = await this.#settle(
      { kind: 'approval', ...copy },
      { ...how, toolName: undefined },
    );
    return approvalOutcome(copy, ended);
  }

  async reviewPlan(plan: string | undefined, how: AskOptions = {}): Promise<PlanOutcome> {
    const request = { kind: 'plan_review', toolName: 'ExitPlanMode', plan };
    return planOutcome(plan, await this.#settle(request, how));
  }

  async form(form: Form, how: AskOptions = {}): Promise<FormOutcome> {
    return formOutcome(await this.#settle({ kind: 'form', toolName: 'Form', ...form }, how));
  }

  /** Asks a person to open an address; see `LinkToOpen`. */
  async link(link: LinkToOpen, how: AskOptions = {}): Promise<LinkOutcome> {
    return linkOutcome(
      link.url,
      await this.#settle({ kind: 'link', toolName: 'Link', ...link }, how),
    );
  }

  /**
   * Closes the transport once aborted questions are cancelled. Other questions stay open; the same `toolCallId` finds them
   * again.
   */
  async close(): Promise<void> {
    const aborted = [...this.#running].filter(([, signal]) => signal?.aborted === true);
    await Promise.allSettled(aborted.map(([ended]) => ended));
    this.transport.close();
  }

  #settle(asked: InteractionRequest, how: AskOptions): Promise<AskResult> {
    const { signal, onOpened, giveUpAfterMs, waitAtMostMs, toolName, ...shared } = how;
    const { toolCallId: _, ...rest } = shared;
    const defaults = this.#options;
    const giveUp = giveUpAfterMs ?? defaults.giveUpAfterMs ?? Number.POSITIVE_INFINITY;
    const asking = {
      transport: this.transport,
      session: this.#session,
      timing: defaults.timing ?? ASK_BACKOFF,
      onRetry: defaults.onRetry,
      giveUpAfterMs: giveUp,
      waitAtMostMs: waitAtMostMs ?? defaults.waitAtMostMs ?? giveUp,
      signal,
      onOpened,
    };
    const settle = async () => {
      const request = {
        ...asked,
        ...(toolName !== undefined && { toolName }),
        ...rest,
        ...(await callId(how)),
        agentInstance: this.agentInstance,
      };
      return askUntilSettled(asking, request as InteractionRequest);
    };
    const ended = settle();
    this.#running.set(ended, signal);
    return ended.finally(() => this.#running.delete(ended));
  }
}

/** A described call has an id already, which the session finds. */
async function callId({ toolCallId, correlate }: AskOptions): Promise<{ toolCallId?: string }> {
  if (toolCallId !== undefined) return { toolCallId: await fitToolCallId(toolCallId) };
  return correlate === undefined ? { toolCallId: `call-${freshKey()}` } : {};
}
