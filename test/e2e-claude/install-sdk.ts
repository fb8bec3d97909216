/**
 * The real SDK, outside the lockfile: its program has 355 MB and a license of its own, so nobody gets
 * it who did not ask. It is kept in the temporary folder for the next run.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

export const SDK = '@anthropic-ai/claude-agent-sdk';
export const SDK_VERSION = '0.3.326';

/** The folder whose node_modules has it. */
export function installSdk(): string {
  const folder = path.join(tmpdir(), `holdpoint-claude-sdk-${SDK_VERSION}`);
  const done = path.join(folder, 'installed');
  if (existsSync(done)) return folder;
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
  const wanted = `${SDK}@${SDK_VERSION}`;
  const flags = ['--no-save', '--no-audit', '--no-fund', '--loglevel=error'];
  const { status, error } = spawnSync('npm', ['install', '--prefix', folder, ...flags, wanted], {
    stdio: 'inherit',
    timeout: 600_000,
  });
  if (status !== 0) throw new Error(`npm could not install ${wanted} (${error ?? status})`);
  writeFileSync(done, '');
  return folder;
}
