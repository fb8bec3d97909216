/** Without a word before, running out of files looks like a crash without a reason. */
import { expect, it } from 'vitest';
import {
  fileLimit,
  highFileNotice,
  lowLimitWarning,
  openFiles,
} from '../../scripts/lib/open-files.ts';

it('[OPS-1] warns of a limit that some connections use up, and of no other', () => {
  expect(lowLimitWarning(1_024)).toContain('ulimit -Hn: 1024');
  expect(lowLimitWarning(1_024)).toContain('512 connections');
  expect(lowLimitWarning(4_095)).toContain('Raise it to 65536');
  expect(lowLimitWarning(4_096)).toBeUndefined();
  expect(lowLimitWarning(undefined)).toBeUndefined();
});

it('[OPS-1] says once that files run out, and again only after there was room', () => {
  const notice = highFileNotice();
  const said = [79, 80, 95, 70, 81, 59, 80].map((open) => notice({ open, limit: 100 }));
  expect(said.map((line) => line !== undefined)).toEqual([
    false,
    true,
    false,
    false,
    false,
    false,
    true,
  ]);
  expect(said[1]).toContain('80 of 100 files');
});

it('counts the files of a process where the system tells, and nothing of one that is gone', async () => {
  const own = await openFiles(process.pid);
  if (process.platform === 'linux') {
    expect(own?.open).toBeGreaterThan(0);
    expect(own?.limit).toBeGreaterThan(own?.open ?? 0);
    expect(fileLimit() ?? Number.POSITIVE_INFINITY).toBeGreaterThanOrEqual(own?.limit ?? 0);
  } else expect(own).toBeUndefined();
  expect(await openFiles(2 ** 22 + 1)).toBeUndefined();
});
