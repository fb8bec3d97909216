/**
 * Runs the script of `npm start` in its own process over the bundle that the tests have built: another build in the
 * middle of a run would remove the bundle that other tests use.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { onTerminal } from '../../scripts/lib/shell-command.ts';
import { ROOT } from '../../scripts/lib/paths.ts';
import { freePort } from '../../scripts/lib/ports.ts';
import { BINDINGS } from './http/server.ts';

export interface LocalServer {
  readonly url: string;
  readonly port: number;
  /** Of the script; workerd is its child. */
  readonly pid: number;
  /** The output so far. */
  output(): string;
  /** Resolves once the text was printed. */
  printed(what: string | RegExp): Promise<void>;
  /** Of the current workerd. */
  workerdPid(): number;
  /** SIGTERM to the script; resolves with its exit code. */
  stop(): Promise<number | null>;
  kill(): Promise<void>;
}

export interface LocalServerOptions {
  readonly dataDir: string;
  /** Default: any free one. */
  readonly port?: number;
  /** The limit of open files, for the script and workerd. */
  readonly fileLimit?: number;
  readonly env?: Readonly<Record<string, string>>;
  /** Default: output goes to a pipe. */
  readonly isOnTerminal?: boolean;
}

const START_MS = 60_000;

export async function startLocally(options: LocalServerOptions): Promise<LocalServer> {
  const { dataDir, fileLimit, env, isOnTerminal = false } = options;
  const port = options.port ?? (await freePort());
  const at = (file: string) => JSON.stringify(path.join(ROOT, file));
  const script = `
    import { fail } from ${at('scripts/lib/fail.ts')};
    import { serveLocally } from ${at('scripts/lib/serve-locally.ts')};
    import { readSettings } from ${at('scripts/lib/settings.ts')};
    const settings = readSettings(process.env, ${JSON.stringify(path.join(dataDir, '.dev.vars'))});
    await serveLocally(settings, async () => {}).catch(fail);
  `;
  const limit = fileLimit === undefined ? '' : `ulimit -n ${fileLimit}; `;
  const node = [process.execPath, '--disable-warning=ExperimentalWarning', '--input-type=module'];
  const program = ['sh', '-c', `${limit}exec "$@"`, 'sh', ...node, '--eval', script];
  const [command = '', ...args] = isOnTerminal ? onTerminal(program) : program;
  const child = spawn(command, args, {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      ...BINDINGS,
      PORT: String(port),
      HOLDPOINT_DATA: dataDir,
      // A start under npm watches its parent process, but the parent of this start is not npm.
      npm_lifecycle_event: undefined,
      ...env,
    },
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
  const exited = once(child, 'exit') as Promise<[number | null]>;
  const printed = async (what: string | RegExp) => {
    const deadline = Date.now() + START_MS;
    while (!(typeof what === 'string' ? text.includes(what) : what.test(text))) {
      if (Date.now() > deadline || child.exitCode !== null)
        throw new Error(`It printed no ${what}:\n${text}`);
      await sleep(20);
    }
  };
  try {
    await printed('Ctrl-C stops it.');
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  }
  const pids = () => {
    const holders = JSON.parse(readFileSync(path.join(dataDir, 'lock'), 'utf8')) as {
      pid: number;
    }[];
    return holders.map(({ pid }) => pid);
  };
  const ended = async () => {
    const [code] = await exited;
    return code;
  };
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    pid: pids()[0] ?? -1,
    output: () => text,
    printed,
    workerdPid: () => pids()[1] ?? -1,
    stop() {
      process.kill(pids()[0] ?? -1, 'SIGTERM');
      return ended();
    },
    async kill() {
      child.kill('SIGKILL');
      await ended();
    },
  };
}
