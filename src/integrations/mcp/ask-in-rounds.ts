/**
 * Runs one call of a tool that waits for a person, in rounds (MCP-1).
 *
 * | client | how it waits |
 * |---|---|
 * | Claude Code | the call stays open until the outcome: it waits on a stream as long as something arrives |
 * | revision 2026-07-28 | rounds of 50 seconds, which the client joins by itself with a signed `requestState` |
 * | older revisions | one round; then the result says "waiting", and the model calls again with the id |
 *
 * A client that goes away leaves a question open only if it can name the question again: by its own id of the call, or by
 * an id that it was given. Otherwise the question is cancelled, because no one could receive its answer.
 */
import {
  type CallToolResult,
  CLIENT_INFO_META_KEY,
  inputRequired,
  type InputRequiredResult,
  type RequestStateCodec,
  SdkError,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { ASK_BACKOFF, Holdpoint } from '../../client/agent/holdpoint.ts';
import { GIVE_UP_AFTER_SECONDS, retryUntil } from '../../client/agent/retry-until.ts';
import { abortedError, ClientError } from '../../client/errors.ts';
import { orAbort } from '../../client/requests/signals.ts';
import type { AskOptions } from '../../client/agent/requests.ts';
import { isObject, type Interaction } from '../../protocol/types.ts';
import { describeVotes } from '../../protocol/deciding.ts';
import { failedResult, notAskedResult, refusedCall } from './question-result.ts';
import { type OpenQuestion, Round, ROUND_MS } from './round.ts';
import type { ToolHost } from './tool-host.ts';

/** What a client carries from one round to the next. It can be read by the client, so it holds no secret. */
export interface RoundState {
  readonly sessionId: string;
  readonly toolCallId: string;
  /** Of the arguments: the state of one question must not become the answer to another. */
  readonly digest: string;
  readonly round: number;
}

export type RoundResult = CallToolResult | InputRequiredResult;

export interface ToolCallContext {
  readonly host: ToolHost;
  readonly era: 'legacy' | 'modern';
  readonly codec: RequestStateCodec<RoundState>;
  readonly context: ServerContext;
}

export interface RoundsOptions {
  /** The arguments as they were checked. */
  readonly args: unknown;
  /** The session that the call itself names. */
  readonly session?: string | undefined;
  /** The client's own id of the call. */
  readonly toolUseId: string | undefined;
  readonly ask: (holdpoint: Holdpoint, how: AskOptions) => Promise<CallToolResult>;
  /** The result when no round follows, and the question is still open. */
  readonly waiting: (question: OpenQuestion) => CallToolResult;
}

/** Clients stop after ten; the last one is left for a client that counts otherwise. */
const MAX_ROUNDS = 9;
const PROGRESS_MS = 15_000;
/** Of sessions that were deleted or filled one after the other. */
const ROUND_SESSIONS = 20;

export function askInRounds(call: ToolCallContext, options: RoundsOptions): Promise<RoundResult> {
  const result = runRound(call, options);
  call.host.keepRunning?.(result);
  return result;
}

async function runRound(call: ToolCallContext, options: RoundsOptions): Promise<RoundResult> {
  const { era, context, codec } = call;
  const state = context.mcpReq.requestState<RoundState>();
  const digest = await digestOf(options.args);
  if (state !== undefined && state.digest !== digest) {
    return refusedCall('The arguments are not those with which this question was asked.');
  }
  const isHeld = isClaudeCode(context);
  const progress: RoundProgress = { words: () => WAITING };
  const stopProgress = reportProgress(context, progress);
  try {
    const { result, question } = await askInSession(call, options, { state, isHeld, progress });
    if (question === undefined) return result;
    const round = (state?.round ?? 1) + 1;
    if (era === 'legacy' || isHeld || round > MAX_ROUNDS) return options.waiting(question);
    const { sessionId, interaction } = question;
    const next = { sessionId, toolCallId: interaction.toolCallId, digest, round };
    return inputRequired({ requestState: await codec.mint(next, context) });
  } finally {
    stopProgress();
  }
}

/** The default session may be lost while agents still ask in it; a named one is the caller's own choice. */
async function askInSession(
  { host, context }: ToolCallContext,
  { ask, session, toolUseId }: RoundsOptions,
  { state: earlier, isHeld: isUnlimited, progress }: RoundContext,
): Promise<{ readonly result: CallToolResult; readonly question?: OpenQuestion | undefined }> {
  const { transport, defaultSession, giveUpAfterSeconds, away, title } = host;
  const toolCallId = earlier?.toolCallId ?? toolUseId;
  try {
    const named = earlier?.sessionId ?? session ?? (await hostSession(host));
    for (let count = 1; ; count += 1) {
      const departure = watchDeparture(context.mcpReq.signal, toolCallId !== undefined);
      const round = new Round(transport, {
        waitMs: isUnlimited ? undefined : (host.roundMs ?? ROUND_MS),
        isLater: earlier !== undefined,
        left: departure.left,
        onOpened: () => {
          if (running.isCancelled) departure.cancel();
        },
      });
      const running = { question: () => round.question, isCancelled: false };
      const endRunning = host.onRunning?.(running);
      progress.words = () => wordsOfProgress(round.question?.interaction);
      const holdpoint = new Holdpoint({
        transport: round.transport,
        session: named ?? (count === 1 ? defaultSession : `${defaultSession}:${count}`),
        title,
        giveUpAfterSeconds,
        away,
      });
      const how = { toolCallId, signal: departure.cancelled };
      const result = await ask(holdpoint, how).catch((cause: unknown) => {
        if (round.openQuestion === undefined) reportFault(host, cause);
        return round.question === undefined ? notAskedResult(cause) : failedResult(cause);
      });
      endRunning?.();
      round.release();
      departure.release();
      const isLost = round.isSessionLost && named === undefined && count < ROUND_SESSIONS;
      if (!isLost) return { result, question: round.openQuestion };
    }
  } catch (cause) {
    reportFault(host, cause);
    return { result: notAskedResult(cause) };
  }
}

async function hostSession(host: ToolHost): Promise<string | undefined> {
  const { session, giveUpAfterSeconds = GIVE_UP_AFTER_SECONDS, away } = host;
  if (typeof session !== 'function') return session;
  return retryUntil((until) => orAbort(session(), until, abortedError), {
    giveUpAfterMs: giveUpAfterSeconds * 1_000,
    away,
    timing: ASK_BACKOFF,
  });
}

/** A refusal is for the client; anything else is a fault of this code. */
function reportFault({ warn }: ToolHost, cause: unknown): void {
  if (!(cause instanceof ClientError)) warn('A tool failed', cause);
}

/** By what it sends with every call; a client that claims to be Claude Code only waits longer itself. */
function isClaudeCode({ mcpReq }: ServerContext): boolean {
  const { envelope, _meta: meta } = mcpReq;
  const info = (envelope as Record<string, unknown> | undefined)?.[CLIENT_INFO_META_KEY];
  const isNamed = isObject(info) && info.name === 'claude-code';
  return isNamed || meta?.['claudecode/toolUseId'] !== undefined;
}

interface Departure {
  /** The client took the call back, or can never ask for its answer: the question is cancelled. */
  readonly cancelled: AbortSignal;
  /** The connection is lost, and the client can come back. */
  readonly left: AbortSignal;
  cancel(): void;
  release(): void;
}

function watchDeparture(signal: AbortSignal, canComeBack: boolean): Departure {
  const cancelled = new AbortController();
  const left = new AbortController();
  const leave = () => {
    const reason: unknown = signal.reason;
    const isLost = reason instanceof SdkError;
    (isLost && canComeBack ? left : cancelled).abort(reason);
  };
  if (signal.aborted) leave();
  signal.addEventListener('abort', leave);
  return {
    cancelled: cancelled.signal,
    left: left.signal,
    cancel: () => cancelled.abort(),
    release: () => signal.removeEventListener('abort', leave),
  };
}

/** What the client is told while it waits. */
interface RoundProgress {
  words: () => string;
}

interface RoundContext {
  readonly state: RoundState | undefined;
  readonly isHeld: boolean;
  readonly progress: RoundProgress;
}

const WAITING = 'Waiting for a person';

function wordsOfProgress(interaction: Interaction | undefined): string {
  const { quorum, votes } = interaction ?? {};
  return quorum === undefined ? WAITING : `Waiting: ${describeVotes(quorum, votes)}`;
}

/** Keeps the time limit of a client away, if the client resets it by progress. */
function reportProgress({ mcpReq }: ServerContext, waiting: RoundProgress): () => void {
  const { _meta: meta } = mcpReq;
  const progressToken = meta?.progressToken;
  if (progressToken === undefined) return () => undefined;
  let progress = 0;
  const timer = setInterval(() => {
    progress += 1;
    const params = { progressToken, progress, message: waiting.words() };
    // A client that is gone needs no progress; its departure is noticed elsewhere.
    mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined);
  }, PROGRESS_MS);
  return () => clearInterval(timer);
}

async function digestOf(args: unknown): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(args));
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
