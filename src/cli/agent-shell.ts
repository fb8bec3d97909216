/** Signs that a command runs in the shell of an agent, and the agent's own ids there. */
import { createHash } from 'node:crypto';
import { sessionIdOf as sessionIdByHash } from '../integrations/hooks/hook-session.ts';
import { SAFE } from '../protocol/ids.ts';
import type { CliSession } from '../protocol/types.ts';
import { usageError } from './exit-code.ts';
import { nonEmpty } from './server-access.ts';

const SHELL_CALL_ID = new RegExp(`^${SAFE}{1,120}$`);
const SHELL_SESSION_ID = /^(?!\.{1,2}$)[\x21-\x7e]{1,200}$/;
const PROVIDER = /^[a-z0-9-]{1,32}$/;

/** The program whose shell this is, or undefined; a person who sits at a terminal has none of these variables. */
export function agentShellOf(env: NodeJS.ProcessEnv): string | undefined {
  const names = Object.keys(env).filter((name) => nonEmpty(env[name]) !== undefined);
  if (names.some((name) => name === 'CLAUDECODE' || name.startsWith('CLAUDE_CODE_'))) {
    return 'Claude Code';
  }
  // The folder of Codex's settings is also set in a person's shell.
  if (names.some((name) => name.startsWith('CODEX_') && name !== 'CODEX_HOME')) return 'Codex';
  if (names.includes('AI_AGENT') || names.includes('HOLDPOINT_AGENT_SHELL')) return 'an agent';
  return undefined;
}

/** A build server has no person at its terminal either. */
export function isBuildServer(env: NodeJS.ProcessEnv): boolean {
  const value = nonEmpty(env['CI']);
  return value !== undefined && value !== 'false' && value !== '0';
}

export interface AgentIds {
  readonly cli?: CliSession;
  /** The id of the tool call whose shell this is. */
  readonly toolCallId?: string;
}

/**
 * The conversation that the command belongs to: `--cli-session provider:id`, else what Claude Code or Codex set. Of two
 * programs, one within the other, the one that names the tool call is the inner one.
 */
export function findAgentIds(
  env: NodeJS.ProcessEnv,
  cwd: string,
  option: string | undefined,
): AgentIds {
  if (option !== undefined) return { cli: parseCliSession(option, cwd) };
  const codex = nonEmpty(env['CODEX_THREAD_ID']) ?? nonEmpty(env['CODEX_SESSION_ID']);
  const call = nonEmpty(env['CODEX_TOOL_CALL_ID']);
  const claude = nonEmpty(env['CLAUDE_CODE_SESSION_ID']);
  const fromCodex = () => ({
    ...withCli('codex', codex, cwd),
    ...(call !== undefined && SHELL_CALL_ID.test(call) && { toolCallId: call }),
  });
  if (call !== undefined || claude === undefined) return fromCodex();
  return withCli('claude-code', claude, cwd);
}

function withCli(provider: string, id: string | undefined, cwd: string): AgentIds {
  return id !== undefined && SHELL_SESSION_ID.test(id)
    ? { cli: { provider, cliSessionId: id, cwd } }
    : {};
}

export function parseCliSession(text: string, cwd: string): CliSession {
  const colon = text.indexOf(':');
  const [provider, cliSessionId] = [text.slice(0, Math.max(0, colon)), text.slice(colon + 1)];
  if (!PROVIDER.test(provider) || !SHELL_SESSION_ID.test(cliSessionId)) {
    throw usageError(
      `--cli-session ${text}: write PROVIDER:ID, for example claude-code:0f8d1c6a-7e0b-4a55.`,
    );
  }
  return { provider, cliSessionId, cwd };
}

/** Two commands that start at once find the same session by this id. */
export function sessionIdOfConversation(cli: CliSession): string {
  return sessionIdByHash(cli, sha256);
}

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
