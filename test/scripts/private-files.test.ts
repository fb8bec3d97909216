/** Another user of the machine reads what every session holds, or a folder that is not ours loses its mode. */
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { makePrivateFolders, writePrivateFile } from '../../scripts/lib/private-files.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'holdpoint-private-'));
  chmodSync(folder, 0o755);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const modeOf = (...parts: string[]) => statSync(path.join(folder, ...parts)).mode & 0o777;

it('[OPS-3] makes a new data folder for its owner alone', () => {
  const storage = makePrivateFolders(path.join(folder, 'deep/data'));
  expect(storage).toBe(path.join(folder, 'deep/data/storage'));
  expect(modeOf('deep/data')).toBe(0o700);
  expect(modeOf('deep/data/storage')).toBe(0o700);
});

it('closes a folder of an earlier version', () => {
  mkdirSync(path.join(folder, 'storage/session'), { recursive: true });
  writeFileSync(path.join(folder, 'workerd.capnp'), '');
  makePrivateFolders(folder);
  expect(modeOf()).toBe(0o700);
  expect(modeOf('storage')).toBe(0o700);
});

it('leaves a folder as it is that holds things of others, and closes what is ours in it', () => {
  writeFileSync(path.join(folder, 'notes.txt'), '');
  makePrivateFolders(folder);
  expect(modeOf()).toBe(0o755);
  expect(modeOf('storage')).toBe(0o700);
});

it('[OPS-3] follows no link that lies where a file is to be made', () => {
  const theirs = path.join(folder, 'theirs');
  symlinkSync(theirs, path.join(folder, `agent-token.${process.pid}`));
  writePrivateFile(path.join(folder, 'agent-token'), 'secret');
  expect(() => statSync(theirs)).toThrow();
  expect(readFileSync(path.join(folder, 'agent-token'), 'utf8')).toBe('secret');
});

it('[OPS-3] writes files for their owner alone, also over one that all could read', () => {
  const file = path.join(folder, 'agent-token');
  writeFileSync(file, 'old', { mode: 0o644 });
  writePrivateFile(file, 'new');
  expect(modeOf('agent-token')).toBe(0o600);
});
