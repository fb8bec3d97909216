/**
 * Says whether dist/ was built from the sources as they are now.
 *
 * A build leaves a hash of every file that it depends on, and the size of each file that it made. Contents count, not
 * times: a checkout and a copy into an image give old sources new times. A changed package in node_modules is noticed by
 * package-lock.json alone; `npm run build` always builds.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const STAMP = 'build.json';
/** What decides the bundle: the sources, the scripts that build them, and the versions of what they import. */
export const SOURCES = [
  'src',
  'migrations',
  'scripts',
  'package.json',
  'package-lock.json',
  'wrangler.toml',
] as const;

interface Stamp {
  readonly sources: string;
  readonly files: Readonly<Record<string, number>>;
}

export function hashSources(root: string): string {
  const hash = createHash('sha256');
  for (const source of SOURCES) {
    for (const file of filesIn(path.join(root, source))) {
      const name = path.relative(root, file).split(path.sep).join('/');
      const bytes = readFileSync(file);
      hash.update(`${name}\n${bytes.length}\n`).update(bytes);
    }
  }
  return hash.digest('hex');
}

/** `sources` is the hash from before the build: a file that changes during a build makes the result old. */
export function writeStamp(folder: string, sources: string): void {
  const stamp: Stamp = { sources, files: sizesIn(folder) };
  writeFileSync(path.join(folder, STAMP), `${JSON.stringify(stamp, null, 2)}\n`);
}

export function isFresh(root: string, folder: string): boolean {
  const stamp = readStamp(path.join(folder, STAMP));
  if (stamp?.sources !== hashSources(root)) return false;
  const sizes = sizesIn(folder);
  return Object.entries(stamp.files).every(([name, size]) => sizes[name] === size);
}

/** Undefined for a file that is missing or that another program wrote. */
function readStamp(file: string): Stamp | undefined {
  if (!existsSync(file)) return undefined;
  try {
    const { sources, files } = JSON.parse(readFileSync(file, 'utf8')) as Partial<Stamp>;
    return sources === undefined || files === undefined ? undefined : { sources, files };
  } catch {
    return undefined;
  }
}

/** The maps are for reading errors, and an image may leave them out. */
function sizesIn(folder: string): Record<string, number> {
  const names = readdirSync(folder).filter((name) => name !== STAMP && !name.endsWith('.map'));
  return Object.fromEntries(names.map((name) => [name, statSync(path.join(folder, name)).size]));
}

function filesIn(at: string): string[] {
  if (statSync(at).isFile()) return [at];
  return readdirSync(at, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .toSorted();
}
