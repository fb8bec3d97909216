/** Runs the installed wrangler, without its network errors when there is no network. */
import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import path from 'node:path';
import { ROOT, binary } from './paths.ts';

export function spawnWrangler(args: readonly string[], stdio: StdioOptions): ChildProcess {
  return spawn(process.execPath, [binary('wrangler', 'bin/wrangler.js'), ...args], {
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
