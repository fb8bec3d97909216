/** Runs `holdpoint`, in this process with captured streams or as a process of its own. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { onTestFinished } from 'vitest';
import { ROOT } from '../../scripts/lib/paths.ts';
import { COMMANDS } from '../../src/cli/commands.ts';
import { runCommand } from '../../src/cli/run-command.ts';
import type { Terminal } from '../../src/cli/cli-command.ts';

const CLI = path.join(ROOT, 'src/cli/main.ts');
/** Arguments for `node`, before those of the program. */
export const NODE_ARGS = ['--disable-warning=ExperimentalWarning', CLI];

/** Where Node finds the program compiled; vitest.config.ts names the place. */
export const COMPILED = { NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] };

export interface CliOptions {
  readonly env?: NodeJS.ProcessEnv;
  readonly stdin?: string | Readable;
  readonly isTTY?: boolean;
  readonly home?: string;
  readonly cwd?: string;
  readonly fetch?: typeof globalThis.fetch;
}

export interface RunningCli {
  /** Of the program; also of a program that left at once. */
  readonly code: Promise<number>;
  out(): string;
  err(): string;
  interrupt(): void;
  /** Its parent process is gone. */
  orphan(): void;
  /** The shell around it is gone, and the program that started both is not. */
  stopShell(): void;
  /** The program that started it is gone, and it has not looked yet. */
  orphanUnseen(): void;
  /** Resolves once the text was printed on either stream. */
  printed(what: RegExp): Promise<RegExpExecArray>;
}

export function emptyFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'holdpoint-cli-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export function startCli(args: readonly string[], options: CliOptions = {}): RunningCli {
  const text = { out: '', err: '' };
  const interrupts = new Set<(signal: 'SIGINT') => void>();
  const orphaned = new Set<(state: 'stopped' | 'gone') => void>();
  let isOrphaned = false;
  const { stdin = '', isTTY = false } = options;
  const input = typeof stdin === 'string' ? Readable.from(stdin === '' ? [] : [stdin]) : stdin;
  const home = options.home ?? emptyFolder();
  const left = Promise.withResolvers<number>();
  const terminal: Terminal = {
    stdin: Object.assign(input, { isTTY }),
    stdout: { isTTY, write: (more: string) => (text.out += more) },
    stderr: { isTTY, write: (more: string) => (text.err += more) },
    env: { NO_COLOR: '1', ...options.env },
    cwd: options.cwd ?? home,
    home,
    program: ['/usr/bin/node', '/opt/holdpoint/main.js'],
    fetch: options.fetch ?? globalThis.fetch,
    now: () => Date.now(),
    onInterrupt(listener) {
      interrupts.add(listener);
      return () => interrupts.delete(listener);
    },
    onOrphaned(listener) {
      orphaned.add(listener);
      return {
        async check() {
          if (!isOrphaned) return;
          listener('gone');
          // The process has ended.
          await new Promise(() => undefined);
        },
        release: () => orphaned.delete(listener),
      };
    },
    leave: (code) => left.resolve(code),
  };
  return {
    code: Promise.race([runCommand(args, terminal, COMMANDS), left.promise]),
    out: () => text.out,
    err: () => text.err,
    interrupt: () => interrupts.forEach((listener) => listener('SIGINT')),
    orphan: () => orphaned.forEach((listener) => listener('gone')),
    stopShell: () => orphaned.forEach((listener) => listener('stopped')),
    orphanUnseen: () => (isOrphaned = true),
    printed: (what) => waitForText(() => text.out + text.err, what),
  };
}

export async function runCli(args: readonly string[], options: CliOptions = {}) {
  const running = startCli(args, options);
  const code = await running.code;
  return { code, out: running.out(), err: running.err() };
}

/** As a process; `env` is all of its environment besides PATH and the place of compiled sources. */
export function spawnCli(args: readonly string[], env: NodeJS.ProcessEnv, cwd = emptyFolder()) {
  const child = spawn(process.execPath, [...NODE_ARGS, ...args], {
    cwd,
    env: { PATH: process.env['PATH'], HOME: cwd, ...COMPILED, ...env },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let out = '';
  let err = '';
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
  return {
    child,
    ended: once(child, 'close').then(([code]) => ({ code: code as number | null, out, err })),
    printed: (what: RegExp) => waitForText(() => out + err, what),
  };
}

const PRINTED_MS = 30_000;

export async function waitForText(read: () => string, what: RegExp): Promise<RegExpExecArray> {
  const deadline = Date.now() + PRINTED_MS;
  for (;;) {
    const found = what.exec(read());
    if (found !== null) return found;
    if (Date.now() > deadline) throw new Error(`It printed no ${what}:\n${read()}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
