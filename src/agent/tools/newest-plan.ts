/** The plan as it was written last: what a review shows if the agent keeps its plan in a file. */
import { isPlanFile } from '../../core/gate.ts';
import type { FileEntry, SessionFiles } from './tool-ports.ts';

/** Of two plans of the same moment, the one whose path comes first. */
export function newestPlan(files: SessionFiles): string | undefined {
  const plans = files.list().filter(({ path }) => isPlanFile(path));
  const newest = plans.reduce<FileEntry | undefined>(newerOf, undefined);
  return newest === undefined ? undefined : files.read(newest.path)?.content;
}

function newerOf(one: FileEntry | undefined, other: FileEntry): FileEntry {
  return one === undefined || other.updatedAt > one.updatedAt ? other : one;
}
