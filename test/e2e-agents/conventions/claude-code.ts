/** Claude Code: its real program in a home folder of its own, asked for by its hooks. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { claudeProgram } from '../../e2e-claude/claude-program.ts';
import type { AgentStage } from '../agent-stage.ts';
import type { Convention, ProgramOf } from '../convention.ts';
import { connectHooks, makeHome, runToEnd } from './hook-home.ts';

type Environment = Readonly<Record<string, string>>;

export const CLAUDE_CODE: Convention = {
  name: 'claude-code',
  title: 'Claude Code 2.1.326, `holdpoint hook`',
  prepare: (stage) =>
    prepare(stage, 'claude-home', (env) => connectHooks(stage, 'claude-code', env)),
  runCall: (command) => ({ name: 'Bash', input: { command, description: 'Append a word' } }),
  questionCall: (questions) => ({ name: 'AskUserQuestion', input: { questions } }),
  impossible: {},
  carriesReason: true,
};

export const CLAUDE_CODE_HTTP: Convention = {
  ...CLAUDE_CODE,
  name: 'claude-code-http',
  title: 'Claude Code 2.1.326, HTTP hook',
  isHeldByServer: true,
  prepare: (stage) =>
    prepare(stage, 'claude-http-home', ({ CLAUDE_CONFIG_DIR = '' }) => {
      mkdirSync(CLAUDE_CONFIG_DIR);
      const file = path.join(CLAUDE_CONFIG_DIR, 'settings.json');
      writeFileSync(file, JSON.stringify(httpSettings(stage.url)));
      return Promise.resolve();
    }),
  impossible: {
    'server-restart':
      'the request of the hook ends with the server, and the call is denied; the command waits on',
  },
};

/** Alone, `-p` has no tool to ask with: it counts as a program that nobody sits at. */
const HOST = ['--permission-prompt-tool', 'stdio'];

/** A first turn begins the conversation; both starts of a scene resume it, as after a kill. */
async function prepare(
  stage: AgentStage,
  name: string,
  writeSettings: (env: Environment) => Promise<void>,
): Promise<ProgramOf> {
  const file = claudeProgram();
  const home = makeHome(stage, name);
  const env = {
    HOME: home,
    CLAUDE_CONFIG_DIR: path.join(home, '.claude'),
    ANTHROPIC_BASE_URL: stage.messages.url,
    ANTHROPIC_API_KEY: 'sk-scripted',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  };
  await writeSettings(env);
  return async (scene, prompt) => {
    const id = crypto.randomUUID();
    await runToEnd(stage, { file, args: ['-p', '--session-id', id, 'Hello.'], env });
    await stage.mapConversation(scene, 'claude-code', id);
    return { file, args: ['-p', ...HOST, '--resume', id, prompt], env };
  };
}

/**
 * As docs/agents.md has them, for every call. A runtime that does not report a dead client keeps its request until the hold
 * ends, so it is short, and the question stays open after it.
 */
function httpSettings(url: string): object {
  const hook = {
    type: 'http',
    url: `${url}/v1/hooks/claude-code?wait=20&defer=1`,
    timeout: 3600,
    onFailure: 'block',
    headers: { Authorization: 'Bearer $HOLDPOINT_TOKEN' },
    allowedEnvVars: ['HOLDPOINT_TOKEN'],
  };
  return { hooks: { PreToolUse: [{ matcher: '*', hooks: [hook] }] } };
}
