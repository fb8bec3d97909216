/** A command of `holdpoint`: what its help says, what it runs, and what a call of it has: its process, and the input that it reads. */
import { homedir } from 'node:os';
import type { Readable } from 'node:stream';
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { type Deciding, readAudienceNames } from '../protocol/deciding.ts';
import type { Printer, Output } from './printer.ts';
import type { Arguments } from './read-arguments.ts';
import { type ExitCode, CliError, EXIT, describeCause, usageError } from './exit-code.ts';
import { watchParentProgram } from './parent-program.ts';

export interface OptionSpec {
  readonly type: 'string' | 'boolean';
  readonly multiple?: true;
  readonly short?: string;
  /** The name of the value in the help: `--header TEXT`. */
  readonly value?: string;
  readonly help: string;
}

export interface CliCommand {
  readonly name: string;
  /** One line in the list of commands. */
  readonly summary: string;
  /** The line of another command names it: the list fits a screen. */
  readonly isNamedElsewhere?: true;
  /** The arguments after the name. */
  readonly usage: string;
  /** What the command does, prints and ends with. */
  readonly about: string;
  readonly options: Readonly<Record<string, OptionSpec>>;
  /** Which groups of shared options it has besides `--json` and `--help`. */
  readonly shares: readonly SharedGroup[];
  readonly examples: readonly string[];
  /** Words that completion offers for the first argument. */
  readonly words?: readonly string[];
  run(): Promise<CliAction>;
}

export type CliAction = (call: CliCall) => Promise<ExitCode>;
export type SharedGroup = 'server' | 'deciding' | 'audience' | 'asking';

/** One call of a command. */
export interface CliCall {
  readonly args: Arguments;
  readonly terminal: Terminal;
  /** The result, for a script. */
  readonly out: Printer;
  /** Progress, for a person. */
  readonly err: Printer;
  readonly isJson: boolean;
  /** The words of the command line, for the tool call that it stands in. */
  readonly argv: readonly string[];
}

/** What a command needs of its process: streams, environment, signals. Tests give their own. */
export interface Terminal {
  readonly stdin: Readable & { readonly isTTY?: boolean | undefined };
  readonly stdout: Output;
  readonly stderr: Output;
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  readonly home: string;
  /** The words that started this program: Node, and the path of the program. */
  readonly program: readonly string[];
  readonly fetch: typeof globalThis.fetch;
  now(): number;
  /** Calls back at each Ctrl-C and SIGTERM; the returned function stops that. */
  onInterrupt(listener: (signal: 'SIGINT' | 'SIGTERM') => void): () => void;
  /** Calls back once the program that started this process is gone, or has stopped the shell that it did it with. */
  onOrphaned(listener: (state: 'stopped' | 'gone') => void): OrphanWatch;
  /** Ends the process at once, without finishing what runs. */
  leave(code: number): void;
}

interface OrphanWatch {
  /** Looks at once: an answer may come between two looks. */
  check(): Promise<void>;
  release(): void;
}

/** Short, so that a program which was killed and started again finds an answer that nobody has taken. */
const ORPHAN_CHECK_MS = 500;

export function processTerminal(): Terminal {
  return {
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    env: process.env,
    cwd: process.cwd(),
    home: homedir(),
    program: [process.execPath, process.argv[1] ?? ''],
    fetch: (...request) => globalThis.fetch(...request),
    now: () => Date.now(),
    onInterrupt(listener) {
      const signals = ['SIGINT', 'SIGTERM'] as const;
      const listeners = signals.map((signal) => [signal, () => listener(signal)] as const);
      for (const [signal, interrupt] of listeners) process.on(signal, interrupt);
      return () => {
        for (const [signal, interrupt] of listeners) process.off(signal, interrupt);
      };
    },
    onOrphaned(listener) {
      const watching = watchParentProgram();
      const check = async () => {
        const look = await watching;
        const state = await look();
        if (state !== 'there') listener(state);
      };
      const timer = setInterval(() => void check(), ORPHAN_CHECK_MS);
      timer.unref();
      return { check, release: () => clearInterval(timer) };
    },
    leave: (code) => process.exit(code),
  };
}

/** All of stdin, refused beyond `maxBytes` so that an endless stream does not fill memory. */
export async function readStdin(
  { stdin }: Terminal,
  maxBytes: number,
): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stdin as AsyncIterable<Buffer | string>) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    size += bytes.length;
    if (size > maxBytes) return undefined;
    chunks.push(bytes);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Far more than a request may have, so that the sentence about its size can name the size. */
const MAX_BYTES = 16 * 1_024 * 1_024;

export async function readInput({ terminal }: CliCall, source: string): Promise<string> {
  if (source === '-') {
    const text = await readStdin(terminal, MAX_BYTES);
    if (text === undefined) throw tooLong('stdin');
    return text;
  }
  const file = path.resolve(terminal.cwd, source);
  try {
    const { size } = await stat(file);
    if (size > MAX_BYTES) throw tooLong(source);
    return await readFile(file, 'utf8');
  } catch (cause) {
    if (cause instanceof CliError) throw cause;
    throw usageError(`${source} cannot be read: ${describeCause(cause)}.`);
  }
}

export function parseJsonInput(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw usageError(`${name} is not JSON: ${describeCause(cause)}.`);
  }
}

function tooLong(name: string): CliError {
  return new CliError(`${name} has more than 16 MiB.`, EXIT.refused, 'too_large');
}

export function readDeciding(args: Pick<Arguments, 'text' | 'has' | 'count'>): Deciding {
  const names = args.text('for');
  const audience = names === undefined ? undefined : readAudienceNames(names);
  if (names !== undefined && audience === undefined) {
    throw usageError('--for: name people or groups, like ann,group:ops.');
  }
  return {
    approvals: args.count('approvals'),
    audience,
    notRequester: args.has('not-requester'),
  };
}
