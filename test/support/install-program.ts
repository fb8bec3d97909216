/** A program of npm outside the lockfile, kept in the temporary folder for the next run. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** The folder whose node_modules has the package; `label` names the folder. */
export function installProgram(label: string, name: string, version: string): string {
  const folder = path.join(tmpdir(), `holdpoint-${label}-${version}`);
  const done = path.join(folder, 'installed');
  if (existsSync(done)) return folder;
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
  const wanted = `${name}@${version}`;
  const flags = ['--no-save', '--no-audit', '--no-fund', '--loglevel=error'];
  const { status, error } = spawnSync('npm', ['install', '--prefix', folder, ...flags, wanted], {
    stdio: 'inherit',
    timeout: 600_000,
  });
  if (status !== 0) throw new Error(`npm could not install ${wanted} (${error ?? status})`);
  writeFileSync(done, '');
  return folder;
}
