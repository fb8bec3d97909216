/** Codex in a terminal: its real program in a home folder of its own, asked for by its hooks. */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { AgentStage } from '../agent-stage.ts';
import type { Convention } from '../convention.ts';
import { installPackages } from '../install-packages.ts';
import { CODEX, CODEX_PINS, configFor } from './codex.ts';
import { connectHooks, makeHome, runToEnd } from './hook-home.ts';

/** The sandbox of Codex needs rights that a container may lack; what runs is asked about before every call. */
const EXEC = [
  '--skip-git-repo-check',
  '--dangerously-bypass-hook-trust',
  '--dangerously-bypass-approvals-and-sandbox',
];

/** A first turn begins the conversation; both starts of a scene resume it, as after a kill. */
export const CODEX_HOOKS: Convention = {
  name: 'codex-hooks',
  title: 'Codex 0.169.0, `holdpoint hook`',
  async prepare(stage) {
    const file = nativeProgram(installPackages('codex', CODEX_PINS));
    const home = makeHome(stage, 'codex-hooks-home');
    const env = { HOME: home, CODEX_HOME: path.join(home, '.codex') };
    mkdirSync(env.CODEX_HOME);
    writeFileSync(path.join(env.CODEX_HOME, 'config.toml'), configFor(stage.model.url));
    await connectHooks(stage, 'codex', env);
    return async (scene, prompt) => {
      const id = await beginThread(stage, file, env);
      await stage.mapConversation(scene, 'codex', id);
      return { file, args: ['exec', 'resume', ...EXEC, id, prompt], env };
    };
  },
  runCall: CODEX.runCall,
  impossible: { question: 'no hook of Codex carries answers; `holdpoint ask` does in its shell' },
  carriesReason: true,
};

/** The program itself: its start script would survive as the parent of a program that was killed. */
function nativeProgram(folder: string): string {
  const vendor = path.join(
    folder,
    `node_modules/@openai/codex-${process.platform}-${process.arch}/vendor`,
  );
  const [triple = ''] = readdirSync(vendor);
  return path.join(vendor, triple, 'bin/codex');
}

async function beginThread(
  stage: AgentStage,
  file: string,
  env: Readonly<Record<string, string>>,
): Promise<string> {
  const output = await runToEnd(stage, { file, args: ['exec', '--json', ...EXEC, 'Hello.'], env });
  const [, id] = /"thread_id":"([^"]+)"/.exec(output) ?? [];
  if (id === undefined) throw new Error(`Codex began no thread: ${output.slice(-500)}`);
  return id;
}
