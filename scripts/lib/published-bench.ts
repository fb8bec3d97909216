/** The age of the published run of the benchmark, in commits that changed the sources it measured. */
import { spawnSync } from 'node:child_process';

/** Its figures are then of another program than the one that a reader has. */
export const MAX_AGE_COMMITS = 20;

/** Undefined if the history does not have the commit: a shallow clone, or a commit that was never pushed. */
export function commitsSince(root: string, commit: string): number | undefined {
  const [hash = ''] = commit.split(' ');
  const range = `${hash}..HEAD`;
  const args = ['rev-list', '--count', range, '--', 'src'];
  const { status, stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8' });
  return status === 0 ? Number(stdout) : undefined;
}

/** The warning, if the run is too old or its age is unknown. */
export function ageWarning(commit: string, age: number | undefined): string | undefined {
  if (age === undefined) {
    return `The history does not have ${commit}, the commit of the published run of the benchmark, or this clone is shallow.`;
  }
  if (age <= MAX_AGE_COMMITS) return undefined;
  return `The published run of the benchmark is of ${commit}, and ${age} commits have changed src/ since: run \`npm run bench\`.`;
}
