/**
 * How many files a process has open, and how many it may have.
 *
 * workerd ends when it cannot accept a connection because it may open no more files. It uses two for a connection and
 * three for a session in use, so a limit of 1,024 is reached by some 500 connections that say nothing.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';

/** Beyond this, running out of files takes more connections than one machine usually has. */
const ENOUGH = 65_536;
const LOOK_MS = 5_000;
const HIGH = 0.8;
/** It is said again only after there was room in between. */
const LOW = 0.6;

/** What this process may open at most; undefined when there is no limit, or none can be read. */
export function fileLimit(): number | undefined {
  const { stdout } = spawnSync('sh', ['-c', 'ulimit -Hn'], { encoding: 'utf8' });
  const limit = Number.parseInt(stdout ?? '', 10);
  return Number.isNaN(limit) ? undefined : limit;
}

export function lowLimitWarning(limit: number | undefined): string | undefined {
  if (limit === undefined || limit >= ENOUGH) return undefined;
  return `The limit of open files is low (ulimit -Hn: ${limit}): about ${Math.floor(limit / 2)} connections at once end the server, which then starts again. Raise it to ${ENOUGH} or more before others use it.`;
}

/** Says it when the files of a process go beyond four fifths of its limit. Linux alone can be asked. */
export function watchOpenFiles(pid: () => number, say: (line: string) => void): () => void {
  const notice = highFileNotice();
  const timer = setInterval(() => {
    void openFiles(pid()).then((found) => {
      const line = found && notice(found);
      if (line !== undefined) say(line);
    });
  }, LOOK_MS);
  timer.unref();
  return () => clearInterval(timer);
}

interface OpenFiles {
  readonly open: number;
  readonly limit: number;
}

/** The line to log for what was counted, if it is news. */
export function highFileNotice(): (files: OpenFiles) => string | undefined {
  let isHigh = false;
  return ({ open, limit }) => {
    const share = open / limit;
    const wasHigh = isHigh;
    isHigh = share >= (wasHigh ? LOW : HIGH);
    return isHigh && !wasHigh
      ? `The server has ${open} of ${limit} files open (${Math.floor(share * 100)} %). When none is left it ends and starts again; fewer connections or a higher limit (ulimit -Hn) prevent it.`
      : undefined;
  };
}

export async function openFiles(pid: number): Promise<OpenFiles | undefined> {
  try {
    const limits = readFileSync(`/proc/${pid}/limits`, 'utf8');
    const limit = /^Max open files\s+(\d+)/m.exec(limits)?.[1];
    if (limit === undefined) return undefined;
    return { open: (await readdir(`/proc/${pid}/fd`)).length, limit: Number(limit) };
  } catch {
    // No Linux, or the process has just ended.
    return undefined;
  }
}
