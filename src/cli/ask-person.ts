/**
 * Asks a person and waits: what `ask`, `approve`, `plan` and `form` have in common (CLI-2).
 *
 * 1. The reference of the interaction is printed as soon as a person can see it, so that a killed command can be taken
 *    up again with `--interaction`.
 * 2. A restart of the server does not end the wait.
 * 3. The first Ctrl-C cancels the interaction and waits for that; the second one leaves at once.
 */
import {
  type AskResult,
  askUntilSettled,
  EnsuredSession,
  type PendingAsk,
  waitForInteraction,
} from '../client/agent/ask-until-settled.ts';
import { warnOnFirstFailure } from '../client/agent/connect.ts';
import { ASK_BACKOFF } from '../client/agent/holdpoint.ts';
import { GIVE_UP_AFTER_SECONDS, retryUntil } from '../client/agent/retry-until.ts';
import { abortedError, ClientError } from '../client/errors.ts';
import { freshKey } from '../client/requests/http-calls.ts';
import { orAbort } from '../client/requests/signals.ts';
import { countBytes } from '../protocol/bytes.ts';
import { isObject, isText, type Interaction, type InteractionRequest } from '../protocol/types.ts';
import { parseInteractionId } from '../protocol/ids.ts';
import { decidingFields } from '../protocol/deciding.ts';
import { LIMITS } from '../protocol/limits.ts';
import { findAgentIds } from './agent-shell.ts';
import { type CliCall, readDeciding } from './cli-command.ts';
import { CliError, describeFailure, EXIT, type ExitCode, usageError } from './exit-code.ts';
import { planSession } from './find-session.ts';
import { agentAccess, nonEmpty, type ServerAccess, transportOf } from './server-access.ts';
import { printDecided, printSettled } from './settled-result.ts';
import { answerAtTerminal, answeringAccess } from './terminal-answer.ts';

/** The part of a request that the command decides. */
export interface Wish {
  readonly command: 'ask' | 'approve' | 'plan' | 'form';
  readonly kind: string;
  readonly toolName: string;
  readonly content: Readonly<Record<string, unknown>>;
}

/** `wish` is called only if the command asks anew. */
export async function askPerson(
  call: CliCall,
  wish: () => Wish | Promise<Wish>,
): Promise<ExitCode> {
  const { args, terminal } = call;
  const reopened = args.text('interaction');
  const wished = reopened === undefined ? await wish() : undefined;
  const access = await agentAccess(call);
  const warning = warnOnFirstFailure(warnAbout(call, access), terminal.fetch);
  const transport = transportOf(access, warning);
  const interrupt = watchInterrupts(call);
  const { signal } = interrupt;
  const retry = {
    timing: ASK_BACKOFF,
    onRetry: warning.onRetry,
    giveUpAfterMs: (args.count('give-up-after') ?? GIVE_UP_AFTER_SECONDS) * 1_000,
    signal,
  };
  try {
    const { env, cwd } = terminal;
    const ids = findAgentIds(env, cwd, args.text('cli-session'));
    const reference = reopened === undefined ? undefined : parseReference(reopened);
    const named = reference?.session ?? args.text('session') ?? nonEmpty(env['HOLDPOINT_SESSION']);
    const sought = { named, cli: ids.cli, cwd, title: args.text('title') };
    const find = (until: AbortSignal) =>
      orAbort(planSession(transport, sought), until, abortedError);
    const plan = await retryUntil(find, retry);
    const session = new EnsuredSession(transport, plan);
    if (reference !== undefined && plan.session === undefined) {
      throw usageError(`--interaction ${reopened}: name its session too, as SESSION/INTERACTION.`);
    }
    const pending: PendingAsk = {
      ...retry,
      transport,
      session,
      giveUpOpenAfterMs: Number.POSITIVE_INFINITY,
      onOpened: undefined,
    };
    if (wished === undefined) {
      const id = reference?.interactionId ?? '';
      return await waitAndPrint(call, access, pending, async (ask) => ({
        type: 'interaction',
        interaction: await waitForInteraction(ask, id),
      }));
    }
    const request = requestOf(call, wished, ids.toolCallId);
    if (args.has('detach')) return await openAndLeave(call, pending, request);
    return await waitAndPrint(call, access, pending, (ask) => askUntilSettled(ask, request));
  } catch (cause) {
    return explainCancel(call, cause);
  } finally {
    interrupt.release();
    transport.close();
  }
}

/** Announces the interaction when it is open, lets this terminal answer if it may, and prints the outcome. */
async function waitAndPrint(
  call: CliCall,
  access: ServerAccess,
  pending: PendingAsk,
  wait: (ask: PendingAsk) => Promise<AskResult>,
): Promise<ExitCode> {
  const over = new AbortController();
  let atTerminal = Promise.resolve();
  const onOpened = (interaction: Interaction) => {
    const signals = AbortSignal.any([over.signal, ...(pending.signal ? [pending.signal] : [])]);
    atTerminal = pending.session
      .id()
      .then((id) => offerTerminal(call, access, id, interaction, signals));
  };
  try {
    const ended = await wait({ ...pending, onOpened });
    over.abort();
    await atTerminal;
    if (ended.type === 'decided') return printDecided(call, ended.decision);
    return printSettled(call, await pending.session.id(), ended.interaction);
  } finally {
    over.abort();
    await atTerminal;
  }
}

/** What goes wrong at this terminal ends no wait: another surface can still answer. */
async function offerTerminal(
  call: CliCall,
  access: ServerAccess,
  sessionId: string,
  interaction: Interaction,
  signal: AbortSignal,
): Promise<void> {
  announceOpened(call, sessionId, interaction);
  try {
    const person = await answeringAccess(call, access);
    if (typeof person === 'object') {
      await answerAtTerminal(call, person, sessionId, interaction, signal);
    } else if (person !== '') {
      call.err.print({ text: person, style: 'dim' });
    }
  } catch (cause) {
    const { message } = describeFailure(cause, call.terminal.env);
    call.err.print({ text: message, style: 'yellow' });
  }
}

/** Prints the reference as the result, because it is what a script needs later. */
async function openAndLeave(
  call: CliCall,
  pending: PendingAsk,
  request: InteractionRequest,
): Promise<ExitCode> {
  const idempotencyKey = freshKey();
  const opened = await retryUntil(
    (signal) => pending.session.open(request, { idempotencyKey, signal }),
    pending,
  );
  if (opened.type === 'decided') return printDecided(call, opened.decision);
  const sessionId = await pending.session.id();
  const { interactionId } = opened.interaction;
  if (call.isJson) call.out.json({ sessionId, interactionId });
  else call.out.print(`${sessionId}/${interactionId}`);
  return EXIT.ok;
}

/** A script must stop after Ctrl-C, even if a person was faster than the cancel. */
function explainCancel({ err, out, isJson }: CliCall, cause: unknown): ExitCode {
  if (!(cause instanceof ClientError) || cause.code !== 'aborted') throw cause;
  const record = cause.details?.interaction;
  const outcome = isObject(record) && isText(record.outcome) ? record.outcome : 'cancelled';
  if (isJson)
    out.json({
      outcome: 'cancelled',
      interactionId: isObject(record) ? record.interactionId : undefined,
    });
  else if (cause.message.startsWith('Given up'))
    err.print({ text: `${cause.message}.`, style: 'red' });
  else if (outcome === 'cancelled') err.print('The request is cancelled.');
  else err.print(`It was ${outcome} before the cancel; this command counts as cancelled.`);
  return EXIT.cancelled;
}

function announceOpened(call: CliCall, sessionId: string, { interactionId }: Interaction): void {
  if (call.isJson) call.err.json({ sessionId, interactionId });
  else call.err.print(`Waiting for a person: ${sessionId}/${interactionId}`);
}

function requestOf(call: CliCall, wish: Wish, shellCallId: string | undefined): InteractionRequest {
  const { args } = call;
  const { command, kind, toolName, content } = wish;
  const toolCallId = args.text('tool-call-id') ?? shellCallId;
  const timeout = args.text('timeout');
  const request = {
    kind,
    toolName,
    ...content,
    ...(timeout !== undefined && { timeoutSeconds: parseTimeout(timeout) }),
    ...decidingFields(kind, readDeciding(args)),
    ...(toolCallId === undefined
      ? {
          correlate: {
            plugin: 'holdpoint',
            operation: command,
            tool: `holdpoint_${command}`,
            command: commandWords(call.argv),
          },
        }
      : { toolCallId }),
  };
  const size = countBytes(JSON.stringify(request));
  if (size > LIMITS.bodyBytes) {
    throw new CliError(
      `The request has ${size.toLocaleString('en-US')} bytes; the server takes ${LIMITS.bodyBytes.toLocaleString('en-US')} (413). Put long content into a file and ask about its path.`,
      EXIT.refused,
      'too_large',
    );
  }
  return request;
}

/**
 * The words that the tool call of the shell has too, as many as the server compares. A credential among them would be in
 * the log, which every reader of the session sees.
 */
export function commandWords(argv: readonly string[]): string[] {
  const words: string[] = [];
  let left: number = LIMITS.commandBytes;
  for (const [index, word] of ['holdpoint', ...argv].entries()) {
    if (word.startsWith('--token=') || argv[index - 2] === '--token') continue;
    left -= countBytes(word) + 1;
    if (left < 0) break;
    words.push(word);
  }
  return words;
}

const UNITS: Readonly<Record<string, number>> = { '': 1, s: 1, m: 60, h: 3_600, d: 86_400 };

/** `90`, `90s`, `10m`, `2h`, `1d`, or `none` for no deadline. */
export function parseTimeout(text: string, option = '--timeout'): number | null {
  if (text === 'none') return null;
  const [, count = '', unit = ''] = /^(\d{1,9})([smhd]?)$/.exec(text) ?? [];
  const seconds = Number(count) * (UNITS[unit] ?? 0);
  if (seconds > 0) return seconds;
  throw usageError(`${option} ${text}: write it like 90, 90s, 10m, 2h, 1d, or none.`);
}

export interface InteractionReference {
  readonly session: string | undefined;
  readonly interactionId: string;
}

/** `SESSION/INTERACTION`, or the interaction alone. */
export function parseReference(text: string): InteractionReference {
  const slash = text.lastIndexOf('/');
  const session = slash > 0 ? text.slice(0, slash) : undefined;
  const interactionId = text.slice(slash + 1);
  if (parseInteractionId(interactionId) === undefined) {
    throw usageError(
      `${text} is not the reference of an interaction: it is like deploys/call_1~1, as \`holdpoint pending\` prints it.`,
    );
  }
  return { session, interactionId };
}

/** Says once that the server is away; the wait itself goes on. */
function warnAbout({ err, isJson }: CliCall, { url }: ServerAccess): (reason: string) => void {
  return (reason) => {
    const message = `No answer from ${url} (${reason}). Trying again until there is one.`;
    if (isJson) err.json({ warning: message });
    else err.print({ text: message, style: 'yellow' });
  };
}

function watchInterrupts(call: CliCall) {
  const controller = new AbortController();
  const release = call.terminal.onInterrupt(() => {
    if (controller.signal.aborted) return call.terminal.leave(EXIT.cancelled);
    if (!call.isJson) call.err.print('Cancelling the request; Ctrl-C again leaves at once.');
    controller.abort(new Error('Interrupted'));
  });
  return { signal: controller.signal, release };
}
