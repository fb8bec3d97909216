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
 *
 * An agent that does not live as long as a person thinks opens a question with one call of its program (`open`) and takes
 * the outcome with another (`outcome`). A failure after the opening does not lose the question, because the caller has its
 * record; an abort ends the wait and leaves the question open. The file is long because each way to ask is a method.
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
  withOwnDigest,
  acknowledge,
  throwIfReassigned,
} from './ask-until-settled.ts';
import {
  type ApprovalOutcome,
  type FormOutcome,
  type LinkOutcome,
  type PlanOutcome,
  type QuestionOutcome,
  approvalOutcome,
  formOutcome,
  linkOutcome,
  planOutcome,
  questionOutcome,
  requireInteraction,
} from './outcomes.ts';
import { openJointly } from './joint-opening.ts';
import { Away } from './away.ts';
import {
  GIVE_UP_AFTER_SECONDS,
  type RetryLimits,
  type RetryInfo,
  retryUntil,
} from './retry-until.ts';
import type { AskOptions, Form, LinkToOpen, Question, ToolCall } from './requests.ts';
import { abortedError, ClientError } from '../errors.ts';

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
  /** Default: one for all agents of this process that `connect()` to the same address. */
  readonly away?: Away | undefined;
}

export const ASK_BACKOFF = { baseMs: 500, capMs: 15_000 };

export class Holdpoint {
  readonly transport: Transport;
  readonly #options: HoldpointOptions;
  readonly #away: Away;
  /** The name of this life of the agent. The next one finds the questions and answers that this one leaves behind (ADP-2). */
  readonly agentInstance = freshKey();
  readonly #session: EnsuredSession;
  /** A host may abort and close in the same moment; `close()` waits for the cancels of aborted questions. */
  readonly #running = new Map<Promise<AskResult>, AbortSignal | undefined>();

  constructor(options: HoldpointOptions) {
    this.transport = options.transport;
    this.#options = options;
    this.#away = options.away ?? new Away();
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

  /**
   * Asks about several calls at once, for an agent that has them in parallel. They are opened in one request, and each is a
   * question of its own: the result has the outcome or the error of each, in their order.
   *
   * ```ts
   * const asks = calls.map(({ name, input }) => ({ request: { kind: 'approval', toolName: name, input } }));
   * for (const asked of await holdpoint.askAll(asks)) {
   *   if (asked.status === 'fulfilled' && asked.value.outcome === 'approved') await run(asked.value.updatedInput);
   * }
   * ```
   */
  async askAll<const Asks extends readonly AskTogether[]>(
    asks: Asks,
  ): Promise<AskedTogether<Asks>> {
    const { agentInstance } = this;
    const prepared = await Promise.allSettled(
      asks.map(async ({ request, how = {} }) => {
        const asked = structuredClone(request);
        return { asked, how, body: await this.#bodyFor(asked, { agentInstance, ...how }) };
      }),
    );
    const ready = prepared.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    const sessions = openJointly(this.#session, ready);
    const settled = prepared.map(async (one) => {
      if (one.status === 'rejected') throw one.reason;
      const { asked, how, body } = one.value;
      const session = sessions.get(body) ?? this.#session;
      const ask = { ...this.#pending(how), session };
      return outcomeFor(asked, await this.#track(how, () => askUntilSettled(ask, body)));
    });
    return (await Promise.allSettled(settled)) as AskedTogether<Asks>;
  }

  /** Asks a person to open an address; see `LinkToOpen`. */
  link(link: LinkToOpen, how: AskOptions = {}): Promise<LinkOutcome> {
    return this.#settle({ kind: 'link', ...link }, how);
  }

  /**
   * Asks a request of any kind, also of one that a deployment adds, and resolves with its settled record: the agent takes its
   * `reply`.
   */
  async request(request: KindRequest, how: AskOptions = {}): Promise<Interaction> {
    const { agentInstance } = this;
    const body = await this.#bodyFor(structuredClone(request) as AskRequest, {
      agentInstance,
      ...how,
    });
    const ended = await this.#track(how, () => askUntilSettled(this.#pending(how), body));
    return requireInteraction(ended);
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

  async #settle<Request extends AskRequest>(request: Request, how: AskOptions) {
    // The outcome is compared with this copy, which the caller cannot change during the wait.
    const asked = structuredClone(request);
    const ended = await this.#track(how, async () => {
      const { agentInstance } = this;
      const body = await this.#bodyFor(asked, { agentInstance, ...how });
      return askUntilSettled(this.#pending(how), body);
    });
    return outcomeFor(asked, ended);
  }

  #track(how: AskOptions, settle: () => Promise<AskResult>): Promise<AskResult> {
    const ended = settle();
    this.#running.set(ended, how.signal);
    return ended.finally(() => this.#running.delete(ended));
  }

  async #bodyFor(asked: AskRequest, how: AskOptions): Promise<InteractionRequest> {
    const {
      signal: _signal,
      onOpened: _onOpened,
      giveUpAfterSeconds: _giveUpAfterSeconds,
      giveUpOpenAfterSeconds: _giveUpOpenAfterSeconds,
      toolCallId: _toolCallId,
      toolName,
      ...sent
    } = how;
    const named = toolName === undefined ? {} : { toolName };
    const body = { ...bodyOf(asked), ...named, ...sent, ...(await callId(how)) };
    return body as InteractionRequest;
  }

  #pending({ signal, onOpened, ...limits }: AskOptions): PendingAsk {
    const defaults = this.#options;
    const unopened =
      limits.giveUpAfterSeconds ?? defaults.giveUpAfterSeconds ?? GIVE_UP_AFTER_SECONDS;
    const open = limits.giveUpOpenAfterSeconds ?? defaults.giveUpOpenAfterSeconds;
    return {
      transport: this.transport,
      session: this.#session,
      timing: defaults.timing ?? ASK_BACKOFF,
      onRetry: defaults.onRetry,
      giveUpAfterMs: unopened * 1_000,
      giveUpOpenAfterMs: (open ?? Number.POSITIVE_INFINITY) * 1_000,
      away: this.#away,
      signal,
      onOpened,
    };
  }
}

async function outcomeFor<Request extends AskRequest>(request: Request, ended: AskResult) {
  const input = request.kind === 'approval' ? request.input : undefined;
  return openedOutcome(request, input === undefined ? ended : await withOwnDigest(input, ended));
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

/** What `approve`, `ask`, `reviewPlan` and `form` ask, as one value that a program can keep. */
export type AskRequest =
  | ({ readonly kind: 'approval' } & ToolCall)
  | { readonly kind: 'question'; readonly questions: readonly Question[] }
  | { readonly kind: 'plan_review'; readonly plan?: string | undefined }
  | ({ readonly kind: 'form' } & Form)
  | ({ readonly kind: 'link' } & LinkToOpen);

/** A request of any kind, with the name of its tool and the fields of the kind. */
export interface KindRequest {
  readonly kind: string;
  readonly toolName: string;
  readonly [field: string]: unknown;
}

interface Outcomes {
  approval: ApprovalOutcome;
  question: QuestionOutcome;
  plan_review: PlanOutcome;
  form: FormOutcome;
  link: LinkOutcome;
}

/** One of several questions that are asked at once. */
export interface AskTogether {
  readonly request: AskRequest;
  readonly how?: AskOptions | undefined;
}

/** In the order of the questions. */
export type AskedTogether<Asks extends readonly AskTogether[]> = {
  readonly [At in keyof Asks]: PromiseSettledResult<Outcomes[Asks[At]['request']['kind']]>;
};

/** Still open, or the outcome: of a person, a deadline, or a rule or the mode, which ask no person. */
export type OpenResult<Request extends AskRequest = AskRequest> =
  | { readonly status: 'open'; readonly interaction: Interaction }
  | { readonly status: 'settled'; readonly outcome: Outcomes[Request['kind']] };

export interface OpenOptions extends Omit<AskOptions, 'giveUpOpenAfterSeconds' | 'onOpened'> {
  /** How long to wait for the outcome. Default: not at all. */
  readonly waitSeconds?: number | undefined;
}

export interface OutcomeOptions
  extends Pick<OpenOptions, 'waitSeconds' | 'signal' | 'giveUpAfterSeconds'> {
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
function bodyOf(request: AskRequest): InteractionRequest {
  const named = request.kind === 'approval' ? {} : { toolName: TOOL_NAMES[request.kind] };
  return { ...named, ...request } as InteractionRequest;
}

function openedOutcome<Request extends AskRequest>(
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
async function openRequest(
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

async function readOutcome(
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
