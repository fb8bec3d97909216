/**
 * `npm start`: builds the bundle and serves it under plain workerd until a stop signal.
 *
 * Checks every setting before workerd starts, and refuses a wrong one with one line.
 */
import { buildBundle } from './lib/build-bundle.ts';
import { fail } from './lib/fail.ts';
import { DEV_VARS } from './lib/paths.ts';
import { serveLocally } from './lib/serve-locally.ts';
import { readSettings } from './lib/settings.ts';

try {
  const [argument] = process.argv.slice(2);
  if (argument !== undefined) {
    throw new Error(
      `npm start takes no ${argument}; settings are variables, such as PORT=8788 npm start.`,
    );
  }
  await serveLocally(readSettings(process.env, DEV_VARS), buildBundle);
} catch (error) {
  fail(error);
}
