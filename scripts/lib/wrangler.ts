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

/** The text of a configuration without one of its sections. */
export function withoutSection(toml: string, section: `[${string}]`): string {
  const lines = toml.split('\n');
  const from = lines.indexOf(section);
  if (from < 0) throw new Error(`The configuration of wrangler has no section ${section}.`);
  const length = lines.slice(from + 1).findIndex((line) => /^\s*(?:#|\[|$)/.test(line));
  return lines.toSpliced(from, length < 0 ? lines.length - from : length + 1).join('\n');
}

/** The text of a file for `--env-file`, in which wrangler expands `$NAME` and ends a value at its quote. */
export function envFile(settings: Readonly<Record<string, string>>): string {
  const lines = Object.entries(settings).map(([name, value]) => {
    const quote = ["'", '"', '`'].find((mark) => !value.includes(mark));
    if (quote === undefined) throw new Error(`${name} holds all three kinds of quotes.`);
    return `${name}=${quote}${value.replaceAll('$', String.raw`\$`)}${quote}\n`;
  });
  return lines.join('');
}
