/** `holdpoint doctor`: what this program would use, and whether it works; each problem with what to do. */
import { EnsuredSession, waitForInteraction } from '../../client/agent/ask-until-settled.ts';
import { ClientError } from '../../client/errors.ts';
import { freshKey } from '../../client/requests/http-calls.ts';
import { isObject, type InteractionRequest } from '../../protocol/types.ts';
import { agentShellOf, findAgentIds, sessionIdOfConversation } from '../agent-shell.ts';
import { ASK_BACKOFF } from '../../client/agent/holdpoint.ts';
import type { CliCall, CliAction } from '../cli-command.ts';
import { CliError, describeFailure, EXIT, type ExitCode } from '../exit-code.ts';
import { isRefusedWith } from '../find-session.ts';
import { hasHooks } from '../hook-settings.ts';
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
  const check = async (what: string, look: () => Promise<string>): Promise<void> => {
    try {
      findings.push({ what, isGood: true, message: await look() });
    } catch (cause) {
      const failure = describeFailure(cause, call.terminal.env);
      if (exitCode !== EXIT.unreachable) {
        exitCode = failure.exitCode === EXIT.unreachable ? EXIT.unreachable : EXIT.refused;
      }
      findings.push({ what, isGood: false, message: failure.message });
    }
  };
  await check('login', () => describeLogin(call));
  await check('server', () => describeServer(call));
  await check('asking', async () => describeAccess(call, await findAgentAccess(call), 'agent'));
  await check('answering', async () =>
    describeAccess(call, await findPersonAccess(call), 'person'),
  );
  await check('session', async () => describeSession(call));
  await check('hooks', () => describeHooks(call));
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

/** The programs of this machine and of this folder that ask through hooks. */
async function describeHooks(call: CliCall): Promise<string> {
  const connected: string[] = [];
  for (const program of ['claude-code', 'codex'] as const) {
    for (const isInProject of [false, true]) {
      const file = settingsFileOf(call, program, isInProject);
      const { settings } = await readSettings(file, isInProject ? call.terminal.cwd : undefined);
      if (hasHooks(settings)) connected.push(`${program} in ${file}`);
    }
  }
  return connected.length === 0
    ? 'none; `holdpoint connect claude-code` or `holdpoint connect codex` adds them'
    : connected.join(', ');
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
