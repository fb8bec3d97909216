/**
 * One question, from its session and its first request to its outcome, through restarts of the server and lost networks.
 *
 * 1. The question exists once, however often the request is repeated: its tool call id and one idempotency key name it.
 * 2. The caller receives the outcome, also one that came while the server was out of reach.
 * 3. An answer counts after the server has noted its acknowledgement (ADP-2). A question that another run of this agent has
 *    by then is asked once more, as a new call that no other run takes over.
 * 4. An abort cancels the question (CAN-4). After an abort during the request, the client cannot know whether the
 *    question exists: it sends the same request once more to learn the id. The record is in the `details.interaction` of
 *    the error.
 */
import { abortedError, ClientError, neverError } from '../errors.ts';
import { freshKey } from '../requests/http-calls.ts';
import { orAbort } from '../requests/signals.ts';
import type { BatchOpened, Opened, Transport, WriteOptions } from '../transport.ts';
import type { Interaction, InteractionRequest, JsonObject } from '../../protocol/types.ts';
import { WAIT_SECONDS } from '../../protocol/limits.ts';
import { retryUntil, type RetryOptions } from './retry-until.ts';
import { canonicalize } from '../../protocol/canonical-json.ts';
import { hashNatively } from '../../protocol/history-digest.ts';

export interface PendingAsk {
  readonly transport: Transport;
  readonly session: Pick<EnsuredSession, 'id' | 'open'>;
  readonly timing: RetryOptions['timing'];
  readonly onRetry: RetryOptions['onRetry'];
  readonly giveUpAfterMs: number;
  readonly giveUpOpenAfterMs: number;
  readonly away?: RetryOptions['away'];
  readonly signal: AbortSignal | undefined;
  readonly onOpened: ((interaction: Interaction) => void) | undefined;
  /** Before an acknowledgement and before asking anew: with no agent left to act on the answer, it does not return. */
  readonly beforeActing?: () => Promise<void>;
}

/** The record with a person's outcome, or the decision of a rule or of the mode. */
export type AskResult = (
  | { readonly type: 'interaction'; readonly interaction: Interaction }
  | { readonly type: 'decided'; readonly decision: JsonObject }
) & {
  /** Of the input of the call, where the outcome is about one that is too large for a record. */
  readonly ownSha256?: string;
};

const CANCEL_WITHIN_MS = 10_000;
export const ABANDONED_REASON = 'The agent no longer waits for this';

export async function askUntilSettled(
  ask: PendingAsk,
  request: InteractionRequest,
): Promise<AskResult> {
  try {
    return await askOnce(ask, request);
  } catch (cause) {
    const isLost = cause instanceof ClientError && cause.code === 'reassigned';
    if (!isLost || isAborted(ask)) throw cause;
    // This process may have outlived its agent, whose next instance has the question: nothing would act on a second one.
    await ask.beforeActing?.();
    const { agentInstance: _instance, correlate: _call, ...again } = request;
    return askOnce(ask, { ...again, toolCallId: `call-${freshKey()}` });
  }
}

async function askOnce(ask: PendingAsk, request: InteractionRequest): Promise<AskResult> {
  const { session, signal } = ask;
  if (isAborted(ask)) throw abortedError(signal?.reason);
  const idempotencyKey = freshKey();
  const open = (until: AbortSignal) => session.open(request, { idempotencyKey, signal: until });
  let interactionId: string | undefined;
  try {
    const opened = await retryUntil(open, ask);
    if (opened.type === 'decided') return opened;
    interactionId = opened.interaction.interactionId;
    throwIfReassigned(opened.interaction, request);
    if (opened.interaction.status === 'open') await reportOpened(ask, opened.interaction);
    return { type: 'interaction', interaction: await waitForEnd(ask, opened.interaction, request) };
  } catch (cause) {
    if (!isAborted(ask)) throw cause;
    throw await cancelAbandoned(ask, request, interactionId, open);
  }
}

/** The same wait for an interaction that is open already, for a caller that lost its own. */
export async function waitForInteraction(
  ask: PendingAsk,
  interactionId: string,
): Promise<Interaction> {
  const { transport, session, signal } = ask;
  if (isAborted(ask)) throw abortedError(signal?.reason);
  const sessionId = await session.id();
  const read = (until: AbortSignal) =>
    transport.interaction(sessionId, interactionId, { signal: until });
  try {
    const found = await retryUntil(read, ask);
    throwIfReassigned(found, {});
    if (found.status === 'open') ask.onOpened?.(found);
    return await waitForEnd(ask, found, {});
  } catch (cause) {
    if (!isAborted(ask)) throw cause;
    throw await cancelAbandoned(ask, {}, interactionId);
  }
}

/** A listener that throws ends the wait, so its question must not stay open. */
async function reportOpened(ask: PendingAsk, opened: Interaction): Promise<void> {
  try {
    ask.onOpened?.(opened);
  } catch (cause) {
    const sessionId = await ask.session.id();
    const failure = await ask.transport
      .cancel(sessionId, opened.interactionId, { reason: ABANDONED_REASON })
      .then(
        () => undefined,
        (cause: unknown) => cause,
      );
    throw failure === undefined
      ? cause
      : new AggregateError([cause, failure], 'onOpened failed, and the question is still open');
  }
}

function isAborted({ signal }: PendingAsk): boolean {
  return signal?.aborted === true;
}

async function waitForEnd(
  ask: PendingAsk,
  opened: Interaction,
  asker: Asker,
): Promise<Interaction> {
  const { transport, session, giveUpOpenAfterMs } = ask;
  const sessionId = await session.id();
  const waitSeconds = Math.min(WAIT_SECONDS, Math.max(1, Math.ceil(giveUpOpenAfterMs / 1_000)));
  const options = {
    ...ask,
    away: undefined,
    giveUpAfterMs: giveUpOpenAfterMs,
    workMs: waitSeconds * 1_000,
  };
  const toolCallId = callOf(asker, opened);
  let interaction = opened;
  while (interaction.status === 'open') {
    interaction = await retryUntil(
      (signal) =>
        transport.interaction(sessionId, opened.interactionId, { waitSeconds, toolCallId, signal }),
      options,
    );
    throwIfReassigned(interaction, asker);
  }
  return acknowledge(ask, interaction, asker);
}

/** A call that was described has the id that the session found. */
function callOf({ toolCallId }: Asker, { reassignedTo, ...asked }: Interaction): string {
  return toolCallId ?? (reassignedTo ?? asked).toolCallId;
}

const ACKNOWLEDGED_OUTCOMES: ReadonlySet<string | null> = new Set([
  'approved',
  'denied',
  'answered',
]);

/** The record, once the server has noted that this call has its outcome; it accepts that from one call alone. */
export async function acknowledge(
  ask: Pick<PendingAsk, 'transport' | 'session' | 'beforeActing'> & RetryOptions,
  interaction: Interaction,
  asker: Asker,
): Promise<Interaction> {
  const { interactionId, agentInstance, outcome } = interaction;
  if (agentInstance === undefined || !ACKNOWLEDGED_OUTCOMES.has(outcome)) return interaction;
  const toolCallId = callOf(asker, interaction);
  const sessionId = await ask.session.id();
  await ask.beforeActing?.();
  const noted = await retryUntil(
    (signal) => ask.transport.acknowledge(sessionId, interactionId, toolCallId, { signal }),
    ask,
  );
  // The rest stays what the caller compares with its request.
  const { deliveredAt = 0, acknowledgedAt = 0 } = noted;
  return { ...interaction, deliveredAt, acknowledgedAt };
}

type Asker = Pick<InteractionRequest, 'toolCallId' | 'agentInstance'>;

/** Without a call id of its own the session found one, which only the instance knows to be its own. */
export function throwIfReassigned(
  { reassignedTo, interactionId }: Interaction,
  asker: Asker,
): void {
  if (reassignedTo === undefined) return;
  const { toolCallId, agentInstance } = asker;
  const isHere =
    toolCallId === undefined
      ? reassignedTo.agentInstance === agentInstance
      : reassignedTo.toolCallId === toolCallId;
  if (isHere) return;
  throw neverError(
    'reassigned',
    `Another run of this agent has asked the same and has ${interactionId} now; nothing may run here`,
  );
}

/** The error to reject with; a failure of the cancel is its cause. */
async function cancelAbandoned(
  ask: PendingAsk,
  { toolCallId, agentInstance }: Asker,
  knownId: string | undefined,
  open?: (signal: AbortSignal) => ReturnType<EnsuredSession['open']>,
): Promise<ClientError> {
  const { transport, session, timing, onRetry, signal } = ask;
  const aborted = abortedError(signal?.reason);
  const options = { timing, onRetry, giveUpAfterMs: CANCEL_WITHIN_MS };
  try {
    const interactionId = knownId ?? (open && (await interactionIdOf(retryUntil(open, options))));
    if (interactionId === undefined) return aborted;
    const sessionId = await session.id();
    // A cancel takes no signal; only the wait for it can end.
    const cancel = (until: AbortSignal) =>
      orAbort(
        transport.cancel(sessionId, interactionId, {
          reason: ABANDONED_REASON,
          // Without an instance no other call can have it.
          ...(agentInstance !== undefined && { toolCallId }),
        }),
        until,
        abortedError,
      );
    const { interaction } = await retryUntil(cancel, options);
    const details = { interaction } as unknown as JsonObject;
    return new ClientError({ ...aborted, message: aborted.message, details, cause: aborted.cause });
  } catch (cause) {
    if (cause instanceof ClientError && cause.code === 'reassigned') return aborted;
    const message = 'Given up, and the question could not be cancelled: it may still be open';
    return new ClientError({ ...aborted, message, cause });
  }
}

async function interactionIdOf(
  opening: ReturnType<EnsuredSession['open']>,
): Promise<string | undefined> {
  const opened = await opening;
  return opened.type === 'decided' ? undefined : opened.interaction.interactionId;
}

interface SessionChoice {
  readonly session?: string | undefined;
  /** For a session that is created here. */
  readonly title?: string | undefined;
}

/**
 * The session in which an agent asks: a named one, created if it does not exist, or a new one.
 *
 * A named session is created only after a question found none, because a token for one session may not create sessions.
 */
export class EnsuredSession {
  readonly #transport: Transport;
  readonly #choice: SessionChoice;
  /** A second session, after a lost reply, would split the agent's questions. */
  readonly #key = freshKey();
  #created: Promise<string> | undefined;

  constructor(transport: Transport, choice: SessionChoice) {
    this.#transport = transport;
    this.#choice = choice;
  }

  id(): Promise<string> {
    const { session } = this.#choice;
    if (session !== undefined) return Promise.resolve(session);
    this.#created ??= this.#create().catch((cause: unknown) => {
      this.#created = undefined;
      throw cause;
    });
    return this.#created;
  }

  open(request: InteractionRequest, options: WriteOptions): Promise<Opened> {
    return this.#inSession((id) => this.#transport.open(id, request, options));
  }

  openAll(
    requests: readonly InteractionRequest[],
    options: WriteOptions,
  ): Promise<readonly BatchOpened[]> {
    return this.#inSession((id) => this.#transport.openAll(id, requests, options));
  }

  async #inSession<Result>(open: (id: string) => Promise<Result>): Promise<Result> {
    const id = await this.id();
    try {
      return await open(id);
    } catch (cause) {
      const isMissing = cause instanceof ClientError && cause.code === 'not_found';
      if (!isMissing || !(await this.#createNamed(id, cause))) throw cause;
    }
    return open(id);
  }

  async #create(): Promise<string> {
    const { title } = this.#choice;
    const input = title === undefined ? {} : { title };
    return (await this.#transport.createSession(input, { idempotencyKey: this.#key })).id;
  }

  async #createNamed(id: string, missing: ClientError): Promise<boolean> {
    const { title } = this.#choice;
    try {
      await this.#transport.createSession({ id, ...(title !== undefined && { title }) });
      return true;
    } catch (cause) {
      if (!(cause instanceof ClientError)) throw cause;
      // Created by another agent, or by an earlier request of this one whose reply was lost.
      if (cause.code === 'session_exists') return true;
      if (cause.code !== 'forbidden') throw cause;
      throw new ClientError({ ...missing, message: missing.message, cause });
    }
  }
}

/**
 * The same result, with the digest of this input where the outcome names one: an input that is too large for its record
 * (INT-17). The record has a view of it and its SHA-256. The agent runs its own input, so it first compares that with what
 * the outcome is about.
 */
export async function withOwnDigest(input: unknown, ended: AskResult): Promise<AskResult> {
  if (wholeInputOf(ended) === undefined) return ended;
  return { ...ended, ownSha256: await hashNatively(canonicalize(asSent(input))) };
}

/** The SHA-256 of the input that the outcome is about; undefined where the outcome has the input itself. */
export function wholeInputOf(ended: AskResult): unknown {
  const { wholeInput } = ended.type === 'decided' ? ended.decision : ended.interaction;
  if (wholeInput === undefined) return undefined;
  return (wholeInput as JsonObject | null)?.['sha256'] ?? null;
}

/** As JSON leaves it, without what JSON drops. */
export function asSent(input: unknown): JsonObject {
  return JSON.parse(JSON.stringify(input)) as JsonObject;
}
