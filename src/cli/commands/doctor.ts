/** `holdpoint doctor`: what this program would use, and whether it works; each problem with what to do. */
import { EnsuredSession, waitForInteraction } from '../../client/agent/ask-until-settled.ts';
import { ClientError } from '../../client/errors.ts';
import { freshKey } from '../../client/requests/http-calls.ts';
import type { HookProgram } from '../../integrations/hooks/read-hook.ts';
import { isObject, type InteractionRequest, type JsonObject } from '../../protocol/types.ts';
import { agentShellOf, findAgentIds, sessionIdOfConversation } from '../agent-shell.ts';
import { ASK_BACKOFF } from '../../client/agent/holdpoint.ts';
import type { CliCall, CliAction } from '../cli-command.ts';
import { CliError, describeFailure, EXIT, type ExitCode } from '../exit-code.ts';
import { isRefusedWith } from '../find-session.ts';
import { askingModeOf, readClaudeSettings } from '../asking-mode.ts';
import { listCodexHooks } from '../codex-trust.ts';
import { findAsking, hasHooks } from '../hook-settings.ts';
import { tryHook } from '../try-hook.ts';
import { loginFileOf, readLogin } from '../credential-files.ts';
import {
  agentAccess,
  findAgentAccess,
  findPersonAccess,
  httpCallsOf,
  localUrl,
  nonEmpty,
  type ServerAccess,
  transportOf,
} from '../server-access.ts';
import { readSettings } from '../settings-file.ts';
import { describeSpan } from '../show-table.ts';
import { settingsFileOf } from './connect.ts';

interface DoctorFinding {
  readonly what: string;
  readonly isGood: boolean;
  readonly message: string;
}

export const doctor: CliAction = async (call) => {
  const findings: DoctorFinding[] = [{ what: 'node', isGood: true, message: process.version }];
  let exitCode: ExitCode = EXIT.ok;
  const failed = (cause: unknown): string => {
    const failure = describeFailure(cause, call.terminal.env);
    if (exitCode !== EXIT.unreachable) {
      exitCode = failure.exitCode === EXIT.unreachable ? EXIT.unreachable : EXIT.refused;
    }
    return failure.message;
  };
  const check = async (what: string, look: () => Promise<string>): Promise<void> => {
    try {
      findings.push({ what, isGood: true, message: await look() });
    } catch (cause) {
      findings.push({ what, isGood: false, message: failed(cause) });
    }
  };
  await check('login', () => describeLogin(call));
  await check('server', () => describeServer(call));
  await check('asking', async () => describeAccess(call, await findAgentAccess(call), 'agent'));
  await check('answering', async () =>
    describeAccess(call, await findPersonAccess(call), 'person'),
  );
  await check('session', async () => describeSession(call));
  const connected = await findConnected(call).catch((cause: unknown) => {
    findings.push({ what: 'hooks', isGood: false, message: failed(cause) });
    return [];
  });
  if (connected.length === 0 && !findings.some(({ what }) => what === 'hooks')) {
    const message = 'none; `holdpoint connect claude-code` or `holdpoint connect codex` adds them';
    findings.push({ what: 'hooks', isGood: true, message });
  }
  for (const one of connected) await check('hooks', () => describeHooks(call, one));
  if (call.args.has('ask') || call.args.has('answer')) {
    await check('question', () => tryQuestion(call, call.args.has('answer')));
  }
  for (const finding of findings) {
    const { what, isGood, message } = finding;
    if (call.isJson) call.out.json(finding);
    else {
      const mark = { text: isGood ? 'ok  ' : 'FAIL', style: isGood ? 'green' : 'red' } as const;
      call.out.print(mark, ` ${what.padEnd(10)} ${message}`);
    }
  }
  return exitCode;
};

async function describeLogin({ terminal }: CliCall): Promise<string> {
  const login = await readLogin(terminal);
  const file = loginFileOf(terminal);
  if (login === undefined) return `none (${file}); \`holdpoint login\` makes one`;
  return `${login.url}, for ${describeSpan(login.expiresAt - terminal.now())} (${file})`;
}

async function describeServer(call: CliCall): Promise<string> {
  const access = (await findAgentAccess(call)) ?? (await findPersonAccess(call));
  const url = access?.url ?? localUrl(call.terminal);
  const calls = httpCallsOf(
    access ?? { url, token: 'none', from: '', isLogin: false },
    call.terminal,
  );
  const { body } = await calls.get('/health');
  const version = isObject(body) && typeof body.version === 'string' ? `, ${body.version}` : '';
  return `${url} answers${version}`;
}

async function describeAccess(
  { terminal }: CliCall,
  access: ServerAccess | undefined,
  role: 'agent' | 'person',
): Promise<string> {
  if (access === undefined) {
    return role === 'agent'
      ? 'no credential: set HOLDPOINT_URL and HOLDPOINT_TOKEN, which `npm start` of a server prints'
      : 'nobody is logged in: run `holdpoint login`';
  }
  const calls = httpCallsOf(access, terminal);
  // A session that cannot be there: its 404 says that the credential has the scope, a 403 that it has not.
  const path = role === 'agent' ? '/v1/cli-sessions/doctor/none' : '/v1/inbox';
  try {
    await calls.get(path);
  } catch (cause) {
    if (!(cause instanceof ClientError)) throw cause;
    if (isRefusedWith(cause, 'forbidden')) {
      const scopes = role === 'agent' ? 'agent' : 'read';
      return `the credential of ${access.from} lacks the scope ${scopes}, so it is for the other role`;
    }
    if (!isRefusedWith(cause, 'not_found')) throw cause;
  }
  return `${access.url} with the credential of ${access.from}`;
}

interface ConnectedProgram {
  readonly program: HookProgram;
  readonly file: string;
  readonly settings: JsonObject;
}

/** The programs of this machine and of this folder that ask through hooks. */
async function findConnected(call: CliCall): Promise<ConnectedProgram[]> {
  const connected: ConnectedProgram[] = [];
  for (const program of ['claude-code', 'codex'] as const) {
    for (const isInProject of [false, true]) {
      const file = settingsFileOf(call, program, isInProject);
      const { settings } = await readSettings(file, isInProject ? call.terminal.cwd : undefined);
      // In the home folder both are one file.
      const isKnown = connected.some((one) => one.file === file);
      if (hasHooks(settings) && !isKnown) connected.push({ program, file, settings });
    }
  }
  return connected;
}

/** Whether this program runs its hooks at all, and then one harmless call through them. */
async function describeHooks(call: CliCall, one: ConnectedProgram): Promise<string> {
  const { program, file, settings } = one;
  const where = `${program} in ${file}`;
  const { command, every } = findAsking(settings);
  if (command === undefined) {
    throw new CliError(
      `${where}: no hook asks for permission. Run \`holdpoint connect ${program}\`.`,
    );
  }
  const when =
    program === 'codex'
      ? await describeTrust(call, where, command)
      : await describeMode(call, where, every);
  const transport = transportOf(await agentAccess(call), call.terminal);
  try {
    const asked = await tryHook(command, program, call.terminal, transport);
    return `${where}: ${when}; a test in the session ${asked} was asked and taken back`;
  } finally {
    transport.close();
  }
}

async function describeMode(
  { terminal, ...call }: CliCall,
  where: string,
  every: string | undefined,
): Promise<string> {
  const userFile = settingsFileOf({ ...call, terminal }, 'claude-code', false);
  const mode = askingModeOf(await readClaudeSettings(terminal, userFile));
  const always = every === undefined ? '' : ` asks before every call of ${every}`;
  if (mode.asks)
    return `${always === '' ? '' : `${always.trim()}, and `}asks where it asks the terminal (mode ${mode.mode})`;
  if (every !== undefined && !mode.isOff)
    return `${always.trim()}, and about nothing else: ${mode.why}`;
  const remedy = mode.isOff
    ? 'Take that out'
    : 'Run `holdpoint connect claude-code --manual`, or with --every TOOLS';
  throw new CliError(`${where}: nothing would be asked. ${mode.why}. ${remedy}.`);
}

async function describeTrust(
  { terminal }: CliCall,
  where: string,
  command: string,
): Promise<string> {
  const own = (await listCodexHooks(terminal)).filter((hook) => hook.command === command);
  if (own.length > 0 && own.every(({ isTrusted, isEnabled }) => isTrusted && isEnabled)) {
    return 'Codex trusts the hooks';
  }
  const isOff = own.some(({ isEnabled }) => !isEnabled);
  throw new CliError(
    `${where}: nothing would be asked, because the hooks are ${isOff ? 'switched off' : 'not trusted yet'}. Start codex and change that with /hooks; where no person starts it, as in CI, run codex exec --dangerously-bypass-hook-trust.`,
  );
}

function describeSession({ args, terminal }: CliCall): string {
  const { env, cwd } = terminal;
  const named = nonEmpty(env['HOLDPOINT_SESSION']);
  const { cli, toolCallId } = findAgentIds(env, cwd, args.text('cli-session'));
  const agent = agentShellOf(env);
  const place = agent === undefined ? '' : `; this is the shell of ${agent}, which cannot answer`;
  if (named !== undefined) return `${named}, of HOLDPOINT_SESSION${place}`;
  if (cli === undefined) return `a new one for each question${place}`;
  const call = toolCallId === undefined ? '' : `, tool call ${toolCallId}`;
  return `that of ${cli.provider}:${cli.cliSessionId}, else ${sessionIdOfConversation(cli)}${call}${place}`;
}

/** One session for all tries, so that they do not fill the list. */
const DOCTOR_SESSION = { session: 'doctor', title: 'holdpoint doctor' };
const ANSWER_SECONDS = 600;

/** Tries the way to a person with a real question: taken back at once (`--ask`), or answered (`--answer`). */
async function tryQuestion(call: CliCall, isAnswered: boolean): Promise<string> {
  const transport = transportOf(await agentAccess(call), call.terminal);
  const session = new EnsuredSession(transport, DOCTOR_SESSION);
  const stop = new AbortController();
  const release = call.terminal.onInterrupt(() => stop.abort());
  try {
    const request = {
      kind: 'question',
      toolName: 'holdpoint doctor',
      toolCallId: `doctor-${freshKey()}`,
      timeoutSeconds: ANSWER_SECONDS,
      questions: [
        {
          header: 'Test',
          question: 'Does this question reach you?',
          options: [{ label: 'Yes' }, { label: 'Not as it should' }],
        },
      ],
    } as InteractionRequest;
    const opened = await session.open(request, { idempotencyKey: freshKey() });
    if (opened.type !== 'interaction')
      throw new CliError('The server answered the test by itself.');
    const { interactionId } = opened.interaction;
    if (!isAnswered) {
      await transport.cancel(DOCTOR_SESSION.session, interactionId, {
        reason: 'A test of holdpoint doctor',
      });
      return `asked and took back ${DOCTOR_SESSION.session}/${interactionId}`;
    }
    call.err.print(
      `Answer ${DOCTOR_SESSION.session}/${interactionId}, in the chat or from a terminal.`,
    );
    const limits = { timing: ASK_BACKOFF, onRetry: undefined, giveUpAfterMs: 30_000 };
    const ask = { ...limits, transport, session, giveUpOpenAfterMs: ANSWER_SECONDS * 1_000 };
    const signal = stop.signal;
    const ended = await waitForInteraction({ ...ask, signal, onOpened: undefined }, interactionId);
    if (ended.outcome !== 'answered') throw new CliError(`The question was ${ended.outcome}.`);
    return `answered by ${ended.settledBy?.subject} (${ended.settledBy?.via})`;
  } finally {
    release();
    transport.close();
  }
}
