/**
 * `holdpoint hook`: a command hook of Claude Code and Codex. Reads the hook from stdin, asks, waits, and prints its output.
 *
 * 1. Whatever goes wrong before a person decided is a denial in the form of the event, with exit code 0. Both programs run
 *    the tool after any other exit code but 2; only an input that names no event ends with 2 and the reason on stderr.
 * 2. A restart of the server does not end the wait.
 * 3. SIGTERM and SIGINT take the question back, also when they end only the shell around this process: the program stopped.
 *    A program that decides by itself sends none, and reports the call once it has run. Nor does a program that was killed;
 *    then the question stays open, and this process ends without taking its answer.
 */
import { notAskedSentence } from '../../client/agent/not-asked.ts';
import {
  acknowledge,
  type AskResult,
  askUntilSettled,
  EnsuredSession,
  type PendingAsk,
  throwIfReassigned,
} from '../../client/agent/ask-until-settled.ts';
import {
  GIVE_UP_AFTER_SECONDS,
  type RetryOptions,
  retryUntil,
} from '../../client/agent/retry-until.ts';
import { abortedError } from '../../client/errors.ts';
import { freshKey, sessionPath } from '../../client/requests/http-calls.ts';
import { orAbort } from '../../client/requests/signals.ts';
import type { Transport } from '../../client/transport.ts';
import {
  type HookQuestion,
  questionOf,
  withQuestionDigest,
} from '../../integrations/hooks/hook-question.ts';
import {
  isAfterTool,
  notesOf,
  type Hook,
  HOOK_INPUT,
  type HookProgram,
  programOf,
  readHook,
} from '../../integrations/hooks/read-hook.ts';
import { parseJson } from '../../protocol/json.ts';
import {
  isObject,
  type AppendedEvent,
  type InteractionRequest,
  type JsonObject,
} from '../../protocol/types.ts';
import { decidingFields } from '../../protocol/deciding.ts';
import { LIMITS } from '../../protocol/limits.ts';
import { liftOddInput } from '../../protocol/odd-input.ts';
import { sha256 } from '../agent-shell.ts';
import { ASK_BACKOFF } from '../../client/agent/holdpoint.ts';
import { type CliCall, type CliAction, readStdin, readDeciding } from '../cli-command.ts';
import { describeFailure, EXIT, type ExitCode, usageError } from '../exit-code.ts';
import { isRefusedWith, planSession } from '../find-session.ts';
import { agentAccess, httpCallsOf, type ServerAccess, transportOf } from '../server-access.ts';

const HOOK_MAX_BYTES = 16 * 1_024 * 1_024;
/** With --defer: a person who is there answers sooner, and the agent ends its run for others. */
const DEFER_SECONDS = 60;

export const hook: CliAction = async (call) => {
  const reading = readGiven(call, await readStdin(call.terminal, HOOK_MAX_BYTES));
  const question = await questionOf(reading, sha256);
  if (isAfterTool(reading)) return printOutput(call, await reportRun(call, reading));
  if (question === undefined) return noteHook(call, reading);
  if ('denied' in question) return printOutput(call, question.denied);
  try {
    return await askHook(call, reading, question);
  } catch (cause) {
    const { message } = describeFailure(cause, call.terminal.env);
    return printOutput(call, question.refusal(notAskedSentence(message)));
  }
};

/** Both programs read exit code 2 as a denial, and stderr as its reason. */
function readGiven(call: CliCall, text: string | undefined): Hook {
  const [named, more] = call.args.positionals;
  if (more !== undefined || (named !== undefined && named !== 'claude-code' && named !== 'codex')) {
    throw usageError('Use: holdpoint hook [claude-code | codex]');
  }
  if (text === undefined) throw usageError('The hook on stdin is too long.');
  const parsed = parseJson(text);
  const lifted = parsed.ok ? undefined : liftOddInput(text, [HOOK_INPUT], LIMITS.jsonValues);
  const body = parsed.ok ? parsed.value : lifted?.value;
  if (!isObject(body)) throw usageError('stdin is not the JSON of a hook, so nothing was asked.');
  const program = (named as HookProgram | undefined) ?? programOf(body);
  const reading = readHook(body, program, lifted?.inputText);
  if (!reading.ok) throw usageError(`stdin is not a hook: ${reading.message}.`);
  return reading.hook;
}

function printOutput({ out }: CliCall, output: JsonObject): ExitCode {
  out.json(output);
  return EXIT.ok;
}

/** The server knows what the call was asked about (HOOK-4). The tool has run, so a failure denies nothing. */
async function reportRun(call: CliCall, { program, body, inputText }: Hook): Promise<JsonObject> {
  // What only text carries, the first request has sent as it came.
  if (inputText !== undefined) return {};
  try {
    const calls = httpCallsOf(await agentAccess(call), call.terminal);
    const reply = await calls.post(`/v1/hooks/claude-code?program=${program}`, body);
    const { hookSpecificOutput } = reply.body;
    return isObject(hookSpecificOutput) ? { hookSpecificOutput } : {};
  } catch (cause) {
    call.err.print({ text: describeFailure(cause, call.terminal.env).message, style: 'dim' });
    return {};
  }
}

/** A note that does not arrive stops no agent: exit code 2 of a Stop hook would keep it going. */
async function noteHook(call: CliCall, given: Hook): Promise<ExitCode> {
  const events = notesOf(given);
  if (events.length === 0) return printOutput(call, {});
  try {
    await sendNotes(call, given, events);
  } catch (cause) {
    if (!isRefusedWith(cause, 'not_found')) {
      call.err.print({ text: describeFailure(cause, call.terminal.env).message, style: 'dim' });
    }
  }
  return printOutput(call, {});
}

async function sendNotes(
  call: CliCall,
  { cli }: Hook,
  events: readonly AppendedEvent[],
): Promise<void> {
  const transport = transportOf(await agentAccess(call), call.terminal);
  try {
    const { id } = await transport.findCliSession(cli.provider, cli.cliSessionId);
    await transport.appendEvents(id, events);
  } finally {
    transport.close();
  }
}

async function askHook(call: CliCall, given: Hook, question: HookQuestion): Promise<ExitCode> {
  const { args, terminal } = call;
  const access = await agentAccess(call);
  const transport = transportOf(access, terminal);
  const stop = new AbortController();
  const orphan = terminal.onOrphaned((state) => {
    if (state === 'stopped') stop.abort();
    else terminal.leave(EXIT.cancelled);
  });
  const releases = [terminal.onInterrupt(() => stop.abort()), orphan.release];
  const retry = {
    timing: ASK_BACKOFF,
    giveUpAfterMs: (args.count('give-up-after') ?? GIVE_UP_AFTER_SECONDS) * 1_000,
    signal: stop.signal,
  };
  try {
    const { cli } = given;
    const wish = { named: undefined, cli, cwd: cli.cwd ?? terminal.cwd, title: undefined };
    const find = (until: AbortSignal) => orAbort(planSession(transport, wish), until, abortedError);
    const { session: sessionId = '' } = await retryUntil(find, retry);
    const beforeActing = orphan.check;
    const asking = { call, given, question, transport, retry, sessionId, access, beforeActing };
    return printOutput(call, await waitForOutput(asking));
  } finally {
    for (const release of releases) release();
    transport.close();
  }
}

interface CommandHook {
  readonly call: CliCall;
  readonly given: Hook;
  readonly question: HookQuestion;
  readonly transport: Transport;
  readonly access: ServerAccess;
  readonly retry: RetryOptions & { readonly signal: AbortSignal };
  readonly sessionId: string;
  readonly beforeActing: () => Promise<void>;
}

async function waitForOutput(asking: CommandHook): Promise<JsonObject> {
  const { call, given, question, transport, retry, sessionId, access } = asking;
  const { args, terminal } = call;
  // A hook that names no call runs once for each call, and its repeats are requests of this process.
  const toolCallId = question.isNamed
    ? question.toolCallId(1)
    : (args.text('call') ?? `hook.${freshKey()}`);
  const turn = given.promptId === undefined ? {} : { turnId: given.promptId };
  if (question.isNamed) {
    const { toolName, input } = question;
    const path = sessionPath(sessionId, 'tool-calls');
    const report = (signal: AbortSignal) =>
      httpCallsOf(access, terminal).post(path, { toolCallId, toolName, input }, { signal });
    await retryUntil(report, retry);
  }
  const { agentInstance } = question;
  const waitSeconds = args.count('wait');
  const deferral = args.has('defer') ? question.deferral : undefined;
  const request = {
    ...question.request,
    ...turn,
    toolCallId,
    ...(agentInstance !== undefined && { agentInstance }),
    ...(deferral === undefined &&
      waitSeconds !== undefined && { defaultTimeoutSeconds: waitSeconds }),
    ...decidingFields(question.request.kind, readDeciding(args)),
    reopen: true,
  } as unknown as InteractionRequest;
  const ask: PendingAsk = {
    ...retry,
    transport,
    session: new EnsuredSession(transport, { session: sessionId }),
    onRetry: undefined,
    giveUpOpenAfterMs: Number.POSITIVE_INFINITY,
    onOpened: undefined,
    beforeActing: asking.beforeActing,
  };
  if (deferral === undefined) return hookOutput(question, await askUntilSettled(ask, request));
  return (
    (await waitAtMost(ask, request, sessionId, waitSeconds ?? DEFER_SECONDS, question)) ?? deferral
  );
}

async function hookOutput(question: HookQuestion, ended: AskResult): Promise<JsonObject> {
  return question.output(await withQuestionDigest(question, ended));
}

/** Undefined: the time is up, and the question stays open for the resumed call. */
async function waitAtMost(
  ask: PendingAsk,
  request: InteractionRequest,
  sessionId: string,
  seconds: number,
  question: HookQuestion,
): Promise<JsonObject | undefined> {
  const until = Date.now() + seconds * 1_000;
  const idempotencyKey = freshKey();
  const opened = await retryUntil(
    (signal) => ask.session.open(request, { idempotencyKey, signal }),
    ask,
  );
  if (opened.type === 'decided') return hookOutput(question, opened);
  let { interaction } = opened;
  throwIfReassigned(interaction, request);
  while (interaction.status === 'open') {
    const left = Math.ceil((until - Date.now()) / 1_000);
    if (left <= 0) return undefined;
    const waitSeconds = Math.min(left, LIMITS.waitSeconds);
    const { interactionId } = interaction;
    interaction = await retryUntil(
      (signal) => ask.transport.interaction(sessionId, interactionId, { waitSeconds, signal }),
      { ...ask, giveUpAfterMs: left * 1_000, workMs: waitSeconds * 1_000 },
    );
    throwIfReassigned(interaction, request);
  }
  await acknowledge(ask, interaction, request);
  return hookOutput(question, { type: 'interaction', interaction });
}
