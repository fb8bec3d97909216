/**
 * Which hooks Codex runs, as Codex itself says (`hooks/list` of its app-server): it skips a hook that no person has
 * trusted in its terminal, or that has changed since, and does not say so.
 */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { isObject, isText, type JsonObject } from '../protocol/types.ts';
import { CliError } from './exit-code.ts';
import type { Terminal } from './cli-command.ts';

export interface CodexHook {
  readonly command: string;
  readonly isEnabled: boolean;
  readonly isTrusted: boolean;
}

const REPLY_MS = 15_000;
const TRUST_UNKNOWN =
  'so it is not known whether it trusts these hooks. Start codex and look at /hooks.';

export async function listCodexHooks({
  env,
  cwd,
}: Pick<Terminal, 'env' | 'cwd'>): Promise<CodexHook[]> {
  const child = spawn('codex', ['app-server'], { env, cwd, stdio: ['pipe', 'pipe', 'ignore'] });
  const ended = new Promise<never>((_, reject) => {
    child.once('error', () => reject(new CliError(`codex is not on the PATH, ${TRUST_UNKNOWN}`)));
    child.once('exit', () => reject(new CliError(`codex app-server ended, ${TRUST_UNKNOWN}`)));
  });
  // Its failure is that of the request.
  child.stdin.on('error', () => undefined);
  const late = setTimeout(() => child.kill(), REPLY_MS);
  try {
    const send = (message: object) => child.stdin.write(`${JSON.stringify(message)}\n`);
    const replies = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const replyTo = async (id: number): Promise<JsonObject> => {
      for (;;) {
        const { done, value } = await replies.next();
        if (done === true) return ended;
        const message = parseCodexReply(value);
        if (message?.id === id) return isObject(message.result) ? message.result : {};
      }
    };
    const clientInfo = { name: 'holdpoint', version: '0' };
    send({ id: 1, method: 'initialize', params: { clientInfo } });
    await Promise.race([replyTo(1), ended]);
    send({ method: 'initialized' });
    send({ id: 2, method: 'hooks/list', params: { cwds: [cwd] } });
    const { data } = await Promise.race([replyTo(2), ended]);
    const found = Array.isArray(data) ? data.filter(isObject) : [];
    return found
      .flatMap(({ hooks }) => (Array.isArray(hooks) ? hooks.filter(isObject) : []))
      .map(readCodexHook);
  } finally {
    clearTimeout(late);
    ended.catch(() => undefined);
    child.kill();
  }
}

function readCodexHook({ command, enabled, trustStatus, isManaged }: JsonObject): CodexHook {
  return {
    command: isText(command) ? command : '',
    isEnabled: enabled !== false,
    isTrusted: trustStatus === 'trusted' || isManaged === true,
  };
}

function parseCodexReply(line: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
