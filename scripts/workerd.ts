/**
 * Runs a bundle under plain workerd: for `npm start`, server tests, crash tests and benches alike.
 *
 * One call starts one process over one data folder. Two processes over one folder would both write to the same SQLite
 * files; the caller must prevent that (`npm start` uses lib/data-lock.ts).
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { dieWithParent, endWatchWith } from './lib/die-with-parent.ts';
import { OutputLines } from './lib/output-lines.ts';
import { DIST } from './lib/paths.ts';
import { DATA_FILES, makePrivateFolders, writePrivateFile } from './lib/private-files.ts';
import { type WorkerBundle, builtBundle } from './lib/worker-bundle.ts';
import { workerdConfig } from './lib/workerd-config.ts';

export { freePort } from './lib/ports.ts';

export interface WorkerdOptions {
  /** Holds every file that the process writes; a restart over the same folder finds the same data. */
  dataDir: string;
  /** Default: any free port. Pass a port (see `freePort`) to use the same address after a crash. */
  port?: number;
  /** Default 127.0.0.1. */
  host?: string;
  /** Text bindings of the Worker, such as HOLDPOINT_SECRET. */
  bindings?: Record<string, string>;
  /** Plain workerd reaches public addresses only; true also lets the Worker fetch from loopback and private ones. */
  allowPrivateNetwork?: boolean;
  /** For tests: the address, host and port, that receives what goes to push services. */
  pushService?: string;
  /** Default: the bundle in dist/; pass another for comparisons and upgrades. It must answer `GET /health` with 200. */
  bundle?: WorkerBundle;
  /** Receives each printed line, safe for a terminal; `output()` returns the newest output in any case. */
  showLine?: (line: string) => void;
}

export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

export interface RunningWorkerd {
  url: string;
  port: number;
  pid: number;
  exited: Promise<Exit>;
  /** SIGTERM, then SIGKILL after half a second: workerd itself would wait for every open stream. */
  stop(): Promise<Exit>;
  /** kill -9: flushes nothing and sends nothing to clients. */
  kill(): Promise<Exit>;
  /** The newest output, for error messages and for asserting that no error was uncaught. */
  output(): string;
}

/** Required, not imported: vitest and Node disagree on the default export of this CommonJS package. */
export const { default: WORKERD }: { default: string } = createRequire(import.meta.url)('workerd');
/** Time for requests in progress to finish. Acknowledged writes are on disk, so a later kill loses nothing. */
const STOP_GRACE_MS = 500;
const POLL_MS = 10;
/** For `GET /health` to answer 200. It only ends a start that hangs: a machine that its host suspends starts late. */
const START_TIMEOUT_MS = 60_000;
/** Enough for any stack trace; a bench that logs for hours must not fill memory. */
const OUTPUT_KEPT = 256 * 1024;
/** Addresses inside the workerd binary, useless to a reader of the log. */
const NATIVE_STACK = /^stack:/;
/** The file descriptor on which workerd reports its port. */
const CONTROL_FD = 3;
/** The file descriptor of the pipe that closes when this process ends. */
const PARENT_FD = 4;
/**
 * A shell sets the umask (in Node the umask is shared by all threads of the process) and ignores SIGXFSZ, so that a file at
 * its size limit does not end the process.
 */
const SHELL = `${dieWithParent(PARENT_FD, [CONTROL_FD])}; umask 077; trap "" XFSZ; exec "$@"`;

export async function startWorkerd(options: WorkerdOptions): Promise<RunningWorkerd> {
  const host = options.host ?? '127.0.0.1';
  const configFile = writeConfig(options, host);
  const program = [WORKERD, 'serve', `--control-fd=${CONTROL_FD}`, configFile];
  const child = spawn('sh', ['-c', SHELL, 'sh', ...program], {
    env: { ...process.env, ...options.bindings },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe', 'pipe'],
    // Its own process group: Ctrl-C in a terminal must not reach it directly, but lead to `stop`.
    detached: true,
  });
  const output = keepOutput(child, options.showLine);
  const exited = new Promise<Exit>((resolve) => {
    // Not 'exit': what it printed last, which says why it ended, may still be on its way then.
    child.once('close', (code, signal) => resolve({ code, signal }));
    child.once('error', () => resolve({ code: null, signal: null }));
  });
  endWatchWith(child, PARENT_FD);

  const signalAndWait = (signal: NodeJS.Signals): Promise<Exit> => {
    child.kill(signal);
    return exited;
  };
  const stop = async (): Promise<Exit> => {
    const force = setTimeout(() => child.kill('SIGKILL'), STOP_GRACE_MS);
    try {
      return await signalAndWait('SIGTERM');
    } finally {
      clearTimeout(force);
    }
  };

  try {
    const deadline = Date.now() + START_TIMEOUT_MS;
    const port = await orEarlyExit(listeningPort(child, deadline), exited, output);
    const url = `http://${urlHost(host)}:${port}`;
    await orEarlyExit(healthy(url, deadline), exited, output);
    const pid = child.pid ?? -1;
    return { url, port, pid, exited, stop, kill: () => signalAndWait('SIGKILL'), output };
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  }
}

function writeConfig(options: WorkerdOptions, host: string): string {
  const configDir = path.resolve(options.dataDir);
  const storageDir = makePrivateFolders(configDir);
  const configFile = path.join(configDir, DATA_FILES.config);
  const bundle = options.bundle ?? builtBundle(DIST);
  // workerd does not serve a folder that does not exist yet, and creates these only later.
  for (const { uniqueKey } of bundle.durableObjects)
    mkdirSync(path.join(storageDir, uniqueKey), { recursive: true, mode: 0o700 });
  const text = workerdConfig({
    bundle,
    configDir,
    storageDir,
    address: `${bracketed(host)}:${options.port ?? 0}`,
    bindingNames: Object.keys(options.bindings ?? {}),
    allowPrivateNetwork: options.allowPrivateNetwork ?? false,
    pushService: options.pushService,
  });
  writePrivateFile(configFile, text);
  return configFile;
}

function keepOutput(child: ChildProcess, show: WorkerdOptions['showLine']): () => string {
  let kept = '';
  for (const stream of [child.stdout, child.stderr]) {
    const lines = new OutputLines((line) => {
      kept += `${line}\n`;
      if (kept.length > 2 * OUTPUT_KEPT) kept = kept.slice(-OUTPUT_KEPT);
      if (!NATIVE_STACK.test(line)) show?.(line);
    });
    stream?.on('data', (chunk: Buffer) => lines.write(chunk));
    stream?.once('end', () => lines.end());
  }
  return () => kept.slice(-OUTPUT_KEPT);
}

/** A request to /health alone is not enough: on a busy port another process could answer it. */
function listeningPort(child: ChildProcess, deadline: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(
      () => reject(new Error('workerd did not start to listen in time.')),
      deadline - Date.now(),
    );
    let text = '';
    child.stdio[CONTROL_FD]?.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      const port = /"event":"listen","socket":"http","port":(\d+)/.exec(text)?.[1];
      if (port === undefined) return;
      clearTimeout(late);
      resolve(Number(port));
    });
    child.once('exit', () => clearTimeout(late));
  });
}

async function healthy(url: string, deadline: number): Promise<void> {
  let last = 'nothing';
  while (Date.now() < deadline) {
    try {
      const response = await fetch(`${url}/health`, { signal: AbortSignal.timeout(2_000) });
      await response.arrayBuffer();
      if (response.status === 200) return;
      last = String(response.status);
    } catch (error) {
      last = error instanceof Error ? error.message : String(error);
    }
    await sleep(POLL_MS);
  }
  throw new Error(`GET ${url}/health did not answer 200 in time; the last answer was ${last}.`);
}

async function orEarlyExit<T>(
  step: Promise<T>,
  exited: Promise<Exit>,
  output: () => string,
): Promise<T> {
  step.catch(() => {});
  const died = exited.then(({ code, signal }) => {
    throw new Error(`workerd ended (${signal ?? code}) before it served.`);
  });
  died.catch(() => {});
  try {
    return await Promise.race([step, died]);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const lines = output().split('\n');
    const printed = lines
      .filter((line) => !NATIVE_STACK.test(line))
      .join('\n')
      .trim();
    throw new Error(printed === '' ? reason : `${reason}\n${printed}`, { cause: error });
  }
}

function urlHost(host: string): string {
  if (host === '0.0.0.0' || host === '*') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return bracketed(host);
}

function bracketed(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}
