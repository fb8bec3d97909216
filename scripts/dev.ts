/** `npm run dev`: `wrangler dev` with its arguments, after making the secrets without which the Worker answers nothing. */
import { once } from 'node:events';
import { fail } from './lib/fail.ts';
import { DEV_VARS } from './lib/paths.ts';
import { readSettings } from './lib/settings.ts';
import { spawnWrangler } from './lib/wrangler.ts';

try {
  readSettings(process.env, DEV_VARS);
} catch (error) {
  fail(error);
}
const wrangler = spawnWrangler(['dev', ...process.argv.slice(2)], 'inherit');
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => wrangler.kill(signal));
const [code] = (await once(wrangler, 'exit')) as [number | null];
process.exit(code ?? 0);
