/** Claude Code itself, without the SDK. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { installSdk, SDK } from './install-sdk.ts';
import type { Stage } from './stage.ts';

const RUN_MS = 90_000;

export function claudeProgram(): string {
  const platform = `${SDK}-${process.platform}-${process.arch}`;
  return path.join(installSdk(), 'node_modules', platform, 'claude');
}

export async function runProgram(
  file: string,
  args: readonly string[],
  stage: Stage,
  env: Readonly<Record<string, string | undefined>>,
): Promise<{ readonly code: number | null; readonly output: string }> {
  const child = spawn(file, args, { cwd: stage.work, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  }
  const late = setTimeout(() => child.kill('SIGKILL'), RUN_MS);
  const [code] = (await once(child, 'close')) as [number | null];
  clearTimeout(late);
  stage.transcript.line(path.basename(file), output);
  return { code, output };
}
