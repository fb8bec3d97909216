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
import type { RequestOptions, Transport } from '../transport.ts';
import { fitToolCallId } from '../../protocol/ids.ts';
import type { Interaction, InteractionRequest } from '../../protocol/types.ts';
import {
  askUntilSettled,
  type AskResult,
  EnsuredSession,
  type PendingAsk,
} from './ask-until-settled.ts';
import {
  type AskRequest,
  bodyOf,
  type OpenOptions,
  type OpenResult,
  openRequest,
  type OutcomeOptions,
  outcomeOf,
  readOutcome,
} from './open-request.ts';
import { withOwnDigest } from './held-input.ts';
import type {
  ApprovalOutcome,
  FormOutcome,
  LinkOutcome,
  PlanOutcome,
  QuestionOutcome,
} from './outcomes.ts';
import { type RetryLimits, type RetryInfo, retryUntil } from './retry-until.ts';
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

export const ASK_BACKOFF = { baseMs: 500, capMs: 15_000 };

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
  ask(questions: readonly Question[], how: AskOptions = {}): Promise<QuestionOutcome> {
    return this.#settle({ kind: 'question', questions }, how);
  }

  /** Asks whether this tool may run with this input. A rule or the mode of the session may decide without a person. */
  approve(call: ToolCall, how: AskOptions = {}): Promise<ApprovalOutcome> {
    return this.#settle({ kind: 'approval', ...call }, { ...how, toolName: undefined });
  }

  reviewPlan(plan: string | undefined, how: AskOptions = {}): Promise<PlanOutcome> {
    return this.#settle({ kind: 'plan_review', plan }, how);
  }

  form(form: Form, how: AskOptions = {}): Promise<FormOutcome> {
    return this.#settle({ kind: 'form', ...form }, how);
  }

  /**
   * Asks without waiting, or for at most `waitSeconds`: for a program that ends before a person answers. A later one takes the
   * outcome by `outcome`, or by `open` with the same `toolCallId`.
   *
   * ```ts
   * const opened = await holdpoint.open({ kind: 'approval', toolName, input }, { toolCallId, waitSeconds: 5 });
   * if (opened.status === 'open') return saveForLater(opened.interaction.interactionId);
   * if (opened.outcome.outcome === 'approved') await run(opened.outcome.updatedInput);
   * ```
   */
  async open<Request extends AskRequest>(
    request: Request,
    how: OpenOptions = {},
  ): Promise<OpenResult<Request>> {
    const { waitSeconds = 0, ...rest } = how;
    const asked = structuredClone(request);
    const body = await this.#bodyFor(asked, rest);
    return openResult(asked, await openRequest(this.#pending(rest), body, waitSeconds));
  }

  /** The outcome of what `open` opened, perhaps in another process. It is compared with the request, as a wait compares it. */
  async outcome<Request extends AskRequest>(
    interactionId: string,
    request: Request,
    { waitSeconds = 0, toolCallId, ...how }: OutcomeOptions = {},
  ): Promise<OpenResult<Request>> {
    const asked = structuredClone(request);
    const asker = toolCallId === undefined ? {} : await callId({ toolCallId });
    const ended = await readOutcome(this.#pending(how), interactionId, asker, waitSeconds);
    return openResult(asked, ended);
  }

  /** Asks a person to open an address; see `LinkToOpen`. */
  link(link: LinkToOpen, how: AskOptions = {}): Promise<LinkOutcome> {
    return this.#settle({ kind: 'link', ...link }, how);
  }

  /** Says that what a link with `awaitCompletion` was opened for has happened, such as a sign-in. Repeats change nothing. */
  async complete(interactionId: string): Promise<Interaction> {
    const sessionId = await this.#session.id();
    const idempotencyKey = freshKey();
    return retryUntil(
      (signal) => this.transport.complete(sessionId, interactionId, { idempotencyKey, signal }),
      this.#pending({}),
    );
  }

  /** The bytes of a file that a person attached to an answer or a message. */
  async attachedFile(
    attachmentId: string,
    how: RequestOptions = {},
  ): Promise<Uint8Array<ArrayBuffer>> {
    return this.transport.attachedFile(await this.#session.id(), attachmentId, how);
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

  #settle<Request extends AskRequest>(request: Request, how: AskOptions) {
    // The outcome is compared with this copy, which the caller cannot change during the wait.
    const asked = structuredClone(request);
    const settle = async () => {
      const { agentInstance } = this;
      const body = await this.#bodyFor(asked, { agentInstance, ...how });
      return askUntilSettled(this.#pending(how), body);
    };
    const ended = settle();
    this.#running.set(ended, how.signal);
    return ended
      .finally(() => this.#running.delete(ended))
      .then((result) => outcomeFor(asked, result));
  }

  async #bodyFor(asked: AskRequest, how: AskOptions): Promise<InteractionRequest> {
    const {
      signal: _signal,
      onOpened: _onOpened,
      giveUpAfterMs: _giveUpAfterMs,
      waitAtMostMs: _waitAtMostMs,
      toolCallId: _toolCallId,
      toolName,
      ...sent
    } = how;
    const named = toolName === undefined ? {} : { toolName };
    const body = { ...bodyOf(asked), ...named, ...sent, ...(await callId(how)) };
    return body as InteractionRequest;
  }

  #pending({ signal, onOpened, giveUpAfterMs, waitAtMostMs }: AskOptions): PendingAsk {
    const defaults = this.#options;
    const giveUp = giveUpAfterMs ?? defaults.giveUpAfterMs ?? Number.POSITIVE_INFINITY;
    return {
      transport: this.transport,
      session: this.#session,
      timing: defaults.timing ?? ASK_BACKOFF,
      onRetry: defaults.onRetry,
      giveUpAfterMs: giveUp,
      waitAtMostMs: waitAtMostMs ?? defaults.waitAtMostMs ?? giveUp,
      signal,
      onOpened,
    };
  }
}

async function outcomeFor<Request extends AskRequest>(request: Request, ended: AskResult) {
  const input = request.kind === 'approval' ? request.input : undefined;
  return outcomeOf(request, input === undefined ? ended : await withOwnDigest(input, ended));
}

async function openResult<Request extends AskRequest>(
  request: Request,
  ended: AskResult,
): Promise<OpenResult<Request>> {
  if (ended.type === 'interaction' && ended.interaction.status === 'open') {
    return { status: 'open', interaction: ended.interaction };
  }
  return { status: 'settled', outcome: await outcomeFor(request, ended) };
}

/** A described call has an id already, which the session finds. */
async function callId({
  toolCallId,
  correlate,
}: Pick<AskOptions, 'toolCallId' | 'correlate'>): Promise<{ toolCallId?: string }> {
  if (toolCallId !== undefined) return { toolCallId: await fitToolCallId(toolCallId) };
  return correlate === undefined ? { toolCallId: `call-${freshKey()}` } : {};
}
