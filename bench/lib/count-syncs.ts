/**
 * Counts with strace how often each file is synced to disk during some work.
 *
 * Undefined where strace is missing or the kernel does not let it attach. strace slows the process down, so nothing is
 * timed under it.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

const ATTACH_MS = 5_000;

export async function countSyncs(
  pid: number,
  work: () => Promise<void>,
): Promise<Record<string, number> | undefined> {
  const strace = spawn('strace', ['-f', '-y', '-e', 'trace=fsync,fdatasync', '-p', String(pid)], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let output = '';
  strace.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const ended = new Promise<'ended'>((resolve) => {
    strace.once('error', () => resolve('ended'));
    strace.once('exit', () => resolve('ended'));
  });
  const deadline = Date.now() + ATTACH_MS;
  while (!output.includes('attached')) {
    const waited = await Promise.race([ended, sleep(20)]);
    if (waited === 'ended') return undefined;
    if (Date.now() < deadline) continue;
    strace.kill('SIGKILL');
    return undefined;
  }
  await work();
  strace.kill('SIGINT');
  if ((await Promise.race([ended, sleep(ATTACH_MS)])) !== 'ended') {
    strace.kill('SIGKILL');
    await once(strace, 'exit');
  }
  return syncedFiles(output);
}

/** Lines such as `[pid 7] fdatasync(12</data/session/1.sqlite-wal>) = 0`, or the first half of one. */
function syncedFiles(output: string): Record<string, number> {
  const files: Record<string, number> = {};
  for (const [, file = ''] of output.matchAll(/\bf(?:data)?sync\(\d+<([^>]*)>/g)) {
    files[file] = (files[file] ?? 0) + 1;
  }
  return files;
}
