/** The commit of the code under measurement, for the reader of its figures. */
import { spawnSync } from 'node:child_process';
import { ROOT } from '../../scripts/lib/paths.ts';

export function measuredCommit(): string {
  const git = (...args: string[]) =>
    spawnSync('git', args, { cwd: ROOT, encoding: 'utf8' }).stdout?.trim() ?? '';
  const changed = git('status', '--porcelain', '--', 'src', 'migrations') !== '';
  return `${git('rev-parse', '--short', 'HEAD') || 'unknown'}${changed ? ' with changes' : ''}`;
}
