/**
 * `npm run dev`: `wrangler dev` with its arguments and the settings of `npm start`.
 *
 * With `[secrets]` in its configuration wrangler takes only the secrets named there, and drops every other setting without
 * a word. So it runs with a copy of the configuration that has no such section. And wrangler reads no setting from the
 * environment, so it receives all settings in one file.
 */
import { once } from 'node:events';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fail } from './lib/fail.ts';
import { DEV_VARS, ROOT, WRANGLER_TOML } from './lib/paths.ts';
import { readSettings } from './lib/settings.ts';
import { envFile, spawnWrangler, withoutSection } from './lib/wrangler.ts';

/** Beside the original, because its paths are relative to its folder. */
const config = path.join(ROOT, `wrangler.dev-${process.pid}.toml`);
const settings = `${DEV_VARS}.dev-${process.pid}`;
try {
  const { bindings } = readSettings(process.env, DEV_VARS);
  writeFileSync(settings, envFile(bindings), { mode: 0o600 });
  writeFileSync(config, withoutSection(readFileSync(WRANGLER_TOML, 'utf8'), '[secrets]'));
} catch (error) {
  fail(error);
}
process.once('exit', () => {
  for (const file of [config, settings]) rmSync(file, { force: true });
});
const files = ['--config', config, '--env-file', settings];
const wrangler = spawnWrangler(['dev', ...files, ...process.argv.slice(2)], 'inherit');
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => wrangler.kill(signal));
const [code] = (await once(wrangler, 'exit')) as [number | null];
process.exit(code ?? 0);
