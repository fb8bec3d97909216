/**
 * `npm run dev` itself, with the proxy and the file watcher of `wrangler dev`: it serves all that every way of running
 * must, and without a network it prints no stack trace at a newcomer.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { HttpTransport } from '../../src/client/http-transport.ts';
import { ROOT } from '../../scripts/lib/paths.ts';
import { freePort } from '../../scripts/lib/ports.ts';
import { envFile } from '../../scripts/lib/wrangler.ts';
import { runtimeContract } from '../contract/runtime.contract.ts';
import { ADMIN_KEY, BINDINGS } from '../support/http/server.ts';
import { until } from '../support/until.ts';

interface DevServer {
  readonly url: string;
  output(): string;
  stop(): Promise<void>;
}

async function startDev(folder: string): Promise<DevServer> {
  const port = String(await freePort());
  const child = spawn('npm', ['run', 'dev', '--', '--port', port, '--persist-to', folder], {
    cwd: ROOT,
    // With the secrets in the environment, the script writes no .dev.vars into the repository.
    env: { ...process.env, ...BINDINGS },
    stdio: ['ignore', 'pipe', 'pipe'],
    // Ctrl-C on a terminal reaches npm, the script, wrangler and workerd alike; so does a signal to this group.
    detached: true,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const closed = once(child, 'close');
  const stop = async () => {
    signalGroup(child, 'SIGINT');
    await closed;
  };
  try {
    await until(() => {
      if (child.exitCode !== null) throw new Error(`npm run dev ended:\n${output}`);
      return output.includes('Ready on');
    });
  } catch (error) {
    signalGroup(child, 'SIGKILL');
    throw error;
  }
  return { url: `http://127.0.0.1:${port}`, output: () => output, stop };
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.exitCode === null) process.kill(-(child.pid ?? 0), signal);
}

let printed = '';

runtimeContract({
  name: 'under npm run dev',
  async start() {
    const folder = mkdtempSync(path.join(tmpdir(), 'holdpoint-dev-'));
    let server = await startDev(folder);
    const stop = async () => {
      await server.stop();
      printed += server.output();
    };
    return {
      connect: () => new HttpTransport({ url: server.url, token: ADMIN_KEY }),
      async restart() {
        await stop();
        server = await startDev(folder);
      },
      async end() {
        await stop();
        rmSync(folder, { recursive: true, force: true });
      },
    };
  },
});

it('[OPS-9] has printed no stack trace and no notice, online or not', () => {
  expect(printed).toContain('Ready on');
  expect(printed).not.toMatch(/^\s+at |Error:|warn|update available/im);
});

it('[OPS-9] hands wrangler each setting as it is, with its quotes and dollars', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'holdpoint-dev-'));
  const file = path.join(folder, 'settings');
  const settings = { A: `{"approval":60}`, B: `it's $HOME \${PATH} # no comment`, C: '`"$1"`' };
  writeFileSync(file, envFile(settings));
  const { unstable_getVarsForDev } = await import('wrangler');
  const read = unstable_getVarsForDev(undefined, [file], {}, undefined, true);
  rmSync(folder, { recursive: true });
  expect(Object.entries(read).map(([name, one]) => [name, 'value' in one && one.value])).toEqual(
    Object.entries(settings),
  );
  expect(() => envFile({ A: `'"\`` })).toThrow('A holds all three kinds of quotes.');
});
