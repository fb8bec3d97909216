/**
 * Starts workerd over the folder of a server that ended, and nothing around it: no shell, no watch, no pause between two
 * looks. What a start takes is then workerd's own; anything else would be in both sides and pull their ratio towards 1.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { DATA_FILES } from '../../scripts/lib/private-files.ts';
import { type RunningWorkerd, WORKERD } from '../../scripts/workerd.ts';
import { HttpConnection } from '../client/http-connection.ts';

export type BareWorkerd = Pick<RunningWorkerd, 'port' | 'pid' | 'kill' | 'output'>;

const CONTROL_FD = 3;

/** Resolves at the first answer; `onSpawn` is called directly before the process is made. The caller ends it. */
export async function bareStart(
  dataDir: string,
  bindings: Readonly<Record<string, string>>,
  onSpawn: () => void,
): Promise<BareWorkerd> {
  // Written by the start before this one, with any free port.
  const configFile = path.join(path.resolve(dataDir), DATA_FILES.config);
  const env = { ...process.env, ...bindings };
  onSpawn();
  const child = spawn(WORKERD, ['serve', `--control-fd=${CONTROL_FD}`, configFile], {
    env,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  const exited = once(child, 'exit');
  const kill = async () => {
    child.kill('SIGKILL');
    await exited;
    return { code: child.exitCode, signal: child.signalCode };
  };
  const port = await new Promise<number>((resolve, reject) => {
    let events = '';
    child.stdio[CONTROL_FD]?.on('data', (chunk: Buffer) => {
      events += chunk.toString();
      const found = /"socket":"http","port":(\d+)/.exec(events)?.[1];
      if (found !== undefined) resolve(Number(found));
    });
    child.once('exit', () => reject(new Error(`workerd ended before it listened: ${printed}`)));
  });
  const connection = await HttpConnection.open(port, '');
  const { status } = await connection.request('GET', '/health');
  connection.close();
  if (status !== 200) throw new Error(`The first answer of workerd was ${status}: ${printed}`);
  return { port, pid: child.pid ?? -1, kill, output: () => printed };
}
