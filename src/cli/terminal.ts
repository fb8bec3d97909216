/** What a command needs of its process: streams, environment, signals. Tests give their own. */
import { homedir } from 'node:os';
import type { Readable } from 'node:stream';
import { watchParentProgram } from './parent-program.ts';
import type { Output } from './printer.ts';

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
  /** Calls back once the program that started this process is gone. */
  onOrphaned(listener: () => void): OrphanWatch;
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
        const isGone = await watching;
        if (await isGone()) listener();
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
