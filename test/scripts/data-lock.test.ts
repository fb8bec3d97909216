import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { FolderInUse, lockDataFolder } from '../../scripts/lib/data-lock.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'holdpoint-lock-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('refuses a second server on one folder, and lets it in after the first released', () => {
  const first = lockDataFolder(folder);
  expect(() => lockDataFolder(folder)).toThrow(FolderInUse);
  first.release();
  lockDataFolder(folder).release();
  expect(existsSync(path.join(folder, 'lock'))).toBe(false);
});

it('takes over a lock whose process is gone, reuses no pid as proof, and survives half a lock', () => {
  const lock = path.join(folder, 'lock');
  for (const stale of [
    [{ pid: 2 ** 22 + 1, identity: '1' }],
    [{ pid: process.pid, identity: 'an earlier process of this number' }],
  ]) {
    writeFileSync(lock, JSON.stringify(stale));
    lockDataFolder(folder).release();
  }
  writeFileSync(lock, '[{"pid":');
  lockDataFolder(folder).release();
});

it('stays held while the server it started still runs', async () => {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
  const lock = lockDataFolder(folder);
  lock.add(child.pid ?? 0);
  const file = path.join(folder, 'lock');
  const [, server]: unknown[] = JSON.parse(readFileSync(file, 'utf8'));
  writeFileSync(file, JSON.stringify([{ pid: 2 ** 22 + 1, identity: 'killed' }, server]));
  expect(() => lockDataFolder(folder)).toThrow(`process ${child.pid}`);
  child.kill('SIGKILL');
  await once(child, 'exit');
  lockDataFolder(folder).release();
});
