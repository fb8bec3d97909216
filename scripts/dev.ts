/**
 * `npm run dev`: `wrangler dev` with its arguments, after making the secrets without which the Worker answers nothing.
 *
 * With `[secrets]` in its configuration wrangler takes only the secrets named there from .dev.vars, and drops every other
 * setting without a word. So it runs with a copy of the configuration that has no such section.
 */
import { once } from 'node:events';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fail } from './lib/fail.ts';
import { DEV_VARS, ROOT, WRANGLER_TOML } from './lib/paths.ts';
import { readSettings } from './lib/settings.ts';
import { spawnWrangler, withoutSecrets } from './lib/wrangler.ts';

/** Beside the original, because its paths are relative to its folder. */
const config = path.join(ROOT, `wrangler.dev-${process.pid}.toml`);
try {
  readSettings(process.env, DEV_VARS);
  writeFileSync(config, withoutSecrets(readFileSync(WRANGLER_TOML, 'utf8')));
} catch (error) {
  fail(error);
}
process.once('exit', () => rmSync(config, { force: true }));
const wrangler = spawnWrangler(['dev', '--config', config, ...process.argv.slice(2)], 'inherit');
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => wrangler.kill(signal));
const [code] = (await once(wrangler, 'exit')) as [number | null];
process.exit(code ?? 0);
