/**
 * Finds what makes `npm ci` refuse a package-lock.json, or tie it to one machine.
 *
 * When npm writes the lock, it silently drops a platform binary that it cannot find. `npm ci` then refuses the lock on
 * the next machine. Reads no disk.
 */
interface LockedPackage {
  version?: string;
  link?: boolean;
  resolved?: string;
  optionalDependencies?: Record<string, string>;
}

const EXACT = /^\d+\.\d+\.\d+[\w.+-]*$/;

export function lockfileProblems(text: string): string[] {
  const lock: { packages?: Record<string, LockedPackage> } = JSON.parse(text);
  const packages = lock.packages ?? {};
  const problems: string[] = [];
  for (const [folder, locked] of Object.entries(packages)) {
    for (const [name, wanted] of Object.entries(locked.optionalDependencies ?? {})) {
      const found = nearest(packages, folder, name);
      const by = folder === '' ? 'package.json' : folder;
      if (found === undefined) problems.push(`${name} ${wanted} is missing; ${by} declares it`);
      else if (EXACT.test(wanted) && found.version !== wanted)
        problems.push(`${name} is ${found.version}; ${by} declares ${wanted}`);
    }
    if (folder !== '' && locked.link !== true && locked.version === undefined)
      problems.push(`${folder} has no version`);
    if (locked.resolved !== undefined && locked.link !== true)
      problems.push(
        `${folder} names a registry host ("resolved"): run npm with the .npmrc of this repository`,
      );
  }
  return problems;
}

/** Where Node would find the package: in the folder of its dependent, or in a folder further up. */
function nearest(
  packages: Record<string, LockedPackage>,
  folder: string,
  name: string,
): LockedPackage | undefined {
  for (let at = folder; ; at = parent(at)) {
    const found = packages[`${at === '' ? '' : `${at}/`}node_modules/${name}`];
    if (found !== undefined || at === '') return found;
  }
}

function parent(folder: string): string {
  const cut = folder.lastIndexOf('/node_modules/');
  return cut < 0 ? '' : folder.slice(0, cut);
}
