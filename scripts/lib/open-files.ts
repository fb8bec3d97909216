/**
 * Watches how many files a process has open, and warns before it reaches its limit.
 *
 * workerd exits when it cannot accept a connection for want of file descriptors. It uses two for a connection and three
 * for a session in use, so some 500 idle connections reach a limit of 1,024.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';

/** With this limit, exhausting it takes more connections than a person and some agents have. */
const ENOUGH = 4_096;
const LOOK_MS = 5_000;
const HIGH = 0.8;
/** The share below which the warning is armed again. */
const LOW = 0.6;

/** The hard limit of open files; undefined when there is no limit, or it cannot be read. */
export function fileLimit(): number | undefined {
  const { stdout } = spawnSync('sh', ['-c', 'ulimit -Hn'], { encoding: 'utf8' });
  const limit = Number.parseInt(stdout ?? '', 10);
  return Number.isNaN(limit) ? undefined : limit;
}

export function lowLimitWarning(limit: number | undefined): string | undefined {
  if (limit === undefined || limit >= ENOUGH) return undefined;
  return `The limit of open files is low (ulimit -Hn: ${limit}): about ${Math.floor(limit / 2)} connections at once end the server, which then starts again. Raise it to 65536 before others use it.`;
}

/** Warns when a process has more than four fifths of its limit open. Works on Linux alone. */
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

/** The line to log for a count, unless the last warning still covers it. */
export function highFileNotice(): (files: OpenFiles) => string | undefined {
  let isHigh = false;
  return ({ open, limit }) => {
    const share = open / limit;
    const wasHigh = isHigh;
    isHigh = share >= (wasHigh ? LOW : HIGH);
    return isHigh && !wasHigh
      ? `The server has ${open} of ${limit} files open (${Math.floor(share * 100)} %). At the limit it ends and starts again; fewer connections or a higher limit (ulimit -Hn) prevent it.`
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
    // Not Linux, or the process has just ended.
    return undefined;
  }
}
