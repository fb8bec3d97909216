/** Runs the installed wrangler, without its network errors when there is no network. */
import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { ROOT, binary } from './paths.ts';

const WRANGLER = binary('wrangler', 'bin/wrangler.js');

export function spawnWrangler(args: readonly string[], stdio: StdioOptions): ChildProcess {
  if (!existsSync(WRANGLER))
    throw new Error('wrangler is not installed: run `npm ci`, with the development dependencies.');
  return spawn(process.execPath, [WRANGLER, ...args], {
    cwd: ROOT,
    stdio,
    env: {
      ...process.env,
      // The build command in wrangler.toml runs `node`; put the Node of this process first in PATH.
      PATH: `${path.dirname(process.execPath)}${path.delimiter}${process.env['PATH'] ?? ''}`,
      // Without these it prints stack traces and an update notice when there is no network.
      CLOUDFLARE_CF_FETCH_ENABLED: 'false',
      WRANGLER_SEND_METRICS: 'false',
      WRANGLER_HIDE_BANNER: 'true',
    },
  });
}

/** The text of a configuration without its section `[secrets]`. */
export function withoutSecrets(toml: string): string {
  const lines = toml.split('\n');
  const from = lines.indexOf('[secrets]');
  if (from < 0) throw new Error('The configuration of wrangler has no section [secrets].');
  const length = lines.slice(from + 1).findIndex((line) => /^\s*(?:#|\[|$)/.test(line));
  return lines.toSpliced(from, length < 0 ? lines.length - from : length + 1).join('\n');
}
