/**
 * Sends one harmless call through the command that is installed as a hook, as its program would, and takes the question
 * back: what this finds out, a look at the settings cannot.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { freshKey } from '../client/requests/http-calls.ts';
import type { Transport } from '../client/transport.ts';
import type { HookProgram } from '../integrations/hooks/read-hook.ts';
import { isObject, isText, type JsonObject } from '../protocol/types.ts';
import { CliError } from './exit-code.ts';
import { isRefusedWith } from './find-session.ts';
import type { Terminal } from './cli-command.ts';

const TEST_CONVERSATION = 'holdpoint-doctor';
const TRY_POLL_MS = 100;
const TRY_MS = 30_000;

/** Returns the session in which a person was asked; throws with the words of the hook if there was none. */
export async function tryHook(
  command: string,
  program: HookProgram,
  { env, cwd }: Pick<Terminal, 'env' | 'cwd'>,
  transport: Transport,
): Promise<string> {
  const prompt = `doctor-${freshKey()}`;
  const body = {
    session_id: TEST_CONVERSATION,
    cwd,
    hook_event_name: 'PermissionRequest',
    tool_name: 'Bash',
    tool_input: { command: 'true', description: 'A test of holdpoint doctor' },
    ...(program === 'codex' ? { turn_id: prompt } : { prompt_id: prompt }),
  };
  const child = spawn(command, { shell: true, env, cwd, stdio: ['pipe', 'pipe', 'pipe'] });
  let out = '';
  let err = '';
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
  // A command that reads nothing has ended.
  child.stdin.on('error', () => undefined);
  child.stdin.end(JSON.stringify(body));
  const over = once(child, 'close');
  const until = Date.now() + TRY_MS;
  while (child.exitCode === null && child.signalCode === null && Date.now() < until) {
    const session = await takeBack(transport, program);
    if (session !== undefined) {
      await over;
      return session;
    }
    await Promise.race([over, new Promise((resolve) => setTimeout(resolve, TRY_POLL_MS))]);
  }
  if (!child.kill()) await over;
  throw new CliError(
    `The hook asked nobody: ${wordsOfHook(out) ?? (err.trim() || 'it printed nothing')}`,
  );
}

/** An agent may not list requests, and may cancel its own: a count says that there was one. */
async function takeBack(transport: Transport, program: HookProgram): Promise<string | undefined> {
  try {
    const { id } = await transport.findCliSession(program, TEST_CONVERSATION);
    const { cancelled } = await transport.cancelAll(id, { reason: 'A test of holdpoint doctor' });
    return cancelled > 0 ? id : undefined;
  } catch (cause) {
    // The hook begins the session.
    if (isRefusedWith(cause, 'not_found')) return undefined;
    throw cause;
  }
}

/** What the hook decided without a person. */
function wordsOfHook(out: string): string | undefined {
  const decision = decisionIn(out);
  if (decision?.behavior === 'allow') return 'a rule or the mode of its session allows this call';
  return isText(decision?.message) ? decision.message : undefined;
}

function decisionIn(out: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(out);
    const output = isObject(value) ? value.hookSpecificOutput : undefined;
    return isObject(output) && isObject(output.decision) ? output.decision : undefined;
  } catch {
    return undefined;
  }
}
