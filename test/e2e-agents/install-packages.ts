/** Packages with exact versions outside the lockfile, kept in the temporary folder for the next run. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

export type Pins = Readonly<Record<string, string>>;

/**
 * The folder whose node_modules has the packages. The pins are overrides too, because a peer range of one package may name a
 * version that the registry of this machine does not have.
 */
export function installPackages(label: string, pins: Pins): string {
  const versions = Object.entries(pins).toSorted(([one], [other]) => one.localeCompare(other));
  const folder = path.join(tmpdir(), `holdpoint-agents-${label}`);
  const done = path.join(folder, 'installed.json');
  const wanted = JSON.stringify(versions);
  if (existsSync(done) && isSame(done, wanted)) return folder;
  mkdirSync(folder, { recursive: true });
  const overrides = Object.fromEntries(versions.map(([name]) => [name, `$${name}`]));
  const manifest = { private: true, type: 'module', dependencies: pins, overrides };
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify(manifest));
  const flags = ['--no-audit', '--no-fund', '--no-package-lock', '--legacy-peer-deps'];
  const { status, error } = spawnSync(
    'npm',
    ['install', '--prefix', folder, '--loglevel=error', ...flags],
    { stdio: 'inherit', timeout: 600_000 },
  );
  if (status !== 0) throw new Error(`npm could not install ${wanted} (${error ?? status})`);
  writeFileSync(done, wanted);
  return folder;
}

function isSame(file: string, text: string): boolean {
  return readFileSync(file, 'utf8') === text;
}
