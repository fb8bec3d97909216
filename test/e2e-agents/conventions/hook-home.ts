/** A home folder whose settings `holdpoint connect` has written, and conversations that a program has begun there. */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../../../scripts/lib/paths.ts';
import type { HookProgram } from '../../../src/integrations/hooks/read-hook.ts';
import type { AgentStage } from '../agent-stage.ts';
import type { AgentProgram } from '../convention.ts';

const CLI = ['--disable-warning=ExperimentalWarning', path.join(ROOT, 'src/cli/main.ts')];

type Environment = Readonly<Record<string, string>>;

export function makeHome(stage: AgentStage, name: string): string {
  const home = path.join(stage.folder, name);
  mkdirSync(home);
  return home;
}

/** Asks before every call, so that what the program would allow by itself is asked too. */
export async function connectHooks(
  stage: AgentStage,
  program: HookProgram,
  env: Environment,
): Promise<void> {
  const args = [...CLI, 'connect', program, '--yes', '--every', '.*'];
  await runToEnd(stage, { file: process.execPath, args, env });
}

/** The output of a program that must end well. */
export async function runToEnd(stage: AgentStage, program: AgentProgram): Promise<string> {
  const { code, output } = await stage.startAgent('setup', program).end();
  if (code === 0) return output;
  throw new Error(`${path.basename(program.file)} ended with ${code}: ${output.slice(-500)}`);
}
