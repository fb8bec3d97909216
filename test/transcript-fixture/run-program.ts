/** Runs a command-line agent in a folder of its own, and finds the transcripts that it wrote. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const RUN_MS = 120_000;

export interface ProgramHome {
  /** Home and configuration of the program. */
  readonly home: string;
  readonly work: string;
  readonly env: Readonly<Record<string, string>>;
}

/** A home, an empty project, and a `holdpoint` that is answered at once. */
export function makeHome(folder: string): ProgramHome {
  const home = path.join(folder, 'home');
  const work = path.join(folder, 'work');
  const bin = path.join(folder, 'bin');
  for (const one of [home, work, bin]) mkdirSync(one, { recursive: true });
  writeFileSync(path.join(bin, 'holdpoint'), '#!/bin/sh\necho "PostgreSQL"\n', { mode: 0o755 });
  return { home, work, env: { HOME: home, PATH: `${bin}:${process.env.PATH}`, LANG: 'C.UTF-8' } };
}

export async function runProgram(
  file: string,
  args: readonly string[],
  { work, env }: ProgramHome,
): Promise<void> {
  const child = spawn(file, args, { cwd: work, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const late = setTimeout(() => child.kill('SIGKILL'), RUN_MS);
  const [code] = (await once(child, 'close')) as [number | null];
  clearTimeout(late);
  if (code !== 0) throw new Error(`${path.basename(file)} ended with ${code}:\n${output}`);
}

export function findTranscripts(folder: string): { name: string; text: string }[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.jsonl'))
    .toSorted()
    .map((name) => ({ name, text: readFileSync(path.join(folder, name), 'utf8') }));
}
