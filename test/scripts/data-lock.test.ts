/** Two servers over one folder would each go on from what they have in memory, and logs would part. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest';
import { FolderInUse, lockDataFolder, runningServer } from '../../scripts/lib/data-lock.ts';
import { inLongRun } from '../support/run-length.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'holdpoint-lock-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const holders = () => path.join(folder, 'lock');

/** A process that takes the lock and keeps it, started through `wrapper`. */
async function holdElsewhere(...wrapper: readonly string[]): Promise<ChildProcess> {
  const script = `
    import { lockDataFolder } from ${JSON.stringify(path.resolve('scripts/lib/data-lock.ts'))};
    globalThis.lock = await lockDataFolder(${JSON.stringify(folder)});
    console.log('held');
    setInterval(() => {}, 1_000);
  `;
  const program = [process.execPath, '--input-type=module', '--eval', script];
  const [command = '', ...args] = [...wrapper, ...program];
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  return child;
}

/** A process namespace of its own, as a container has one; where this machine makes none, a plain process. */
function asContainer(): readonly string[] {
  const unshare = ['unshare', '--pid', '--fork', '--kill-child', '--mount-proc'];
  const [command = '', ...args] = unshare;
  return spawnSync(command, [...args, 'true']).status === 0 ? unshare : [];
}

it('[OPS-2] refuses a second server on one folder, and lets it in after the first released', async () => {
  const first = await lockDataFolder(folder);
  const refused: unknown = await lockDataFolder(folder).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(FolderInUse);
  expect(String(refused)).toContain(`kill ${process.pid}`);
  first.release();
  expect(existsSync(holders())).toBe(false);
  (await lockDataFolder(folder)).release();
});

it('waits for a server that is about to end', async () => {
  const first = await lockDataFolder(folder);
  setTimeout(() => first.release(), 200);
  (await lockDataFolder(folder)).release();
});

inLongRun(() => {
  it('[OPS-2] refuses a folder that a server in another container writes to', async () => {
    await holdElsewhere(...asContainer());
    // What that server wrote names processes that cannot be found here.
    writeFileSync(
      holders(),
      JSON.stringify([{ pid: 2 ** 22 + 1, identity: '1', namespace: 'pid:[1]' }]),
    );
    await expect(lockDataFolder(folder)).rejects.toThrow(
      'in use by a server in another container or on another machine',
    );
  });
});

inLongRun(() => {
  it('[OPS-2] goes with a process that was killed, and leaves its workerd a moment to end', async () => {
    const child = await holdElsewhere();
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(existsSync(holders())).toBe(true);
    (await lockDataFolder(folder)).release();

    // Killed in another container: nobody here can see whether its workerd has ended.
    const foreign = { pid: process.pid, identity: '1', namespace: 'pid:[1]' };
    writeFileSync(holders(), JSON.stringify([foreign]));
    const before = Date.now();
    (await lockDataFolder(folder)).release();
    expect(Date.now() - before).toBeGreaterThanOrEqual(900);
  });
});

it('takes no number of a process as proof, and survives half a list', async () => {
  for (const stale of [
    [{ pid: 2 ** 22 + 1, identity: '1' }],
    [{ pid: process.pid, identity: 'an earlier process of this number' }],
  ]) {
    writeFileSync(holders(), JSON.stringify(stale));
    (await lockDataFolder(folder)).release();
  }
  writeFileSync(holders(), '[{"pid":');
  (await lockDataFolder(folder)).release();
});

inLongRun(() => {
  it('[OPS-2] stays held while the workerd of a killed script still runs', async () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
    const lock = await lockDataFolder(folder);
    lock.nameServer(child.pid ?? 0, 'http://127.0.0.1:1');
    const [, server]: unknown[] = JSON.parse(readFileSync(holders(), 'utf8'));
    lock.release();
    const killed = { pid: 2 ** 22 + 1, identity: 'killed' };
    writeFileSync(holders(), JSON.stringify([killed, server]));
    await expect(lockDataFolder(folder)).rejects.toThrow(`process ${child.pid}`);
    child.kill('SIGKILL');
    await once(child, 'exit');
    (await lockDataFolder(folder)).release();
  });
});

it('says where the server of a folder answers, and nothing of one that is gone', async () => {
  expect(runningServer(folder)).toBeUndefined();
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
  const lock = await lockDataFolder(folder);
  expect(runningServer(folder)).toBeUndefined();
  lock.nameServer(child.pid ?? 0, 'http://127.0.0.1:8788');
  expect(runningServer(folder)).toBe('http://127.0.0.1:8788');
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(runningServer(folder)).toBeUndefined();
  lock.release();
});
