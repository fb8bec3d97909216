/**
 * `npm start`: serves the bundle under plain workerd until a stop signal, and builds it first if the sources have changed.
 *
 * Checks every setting before workerd starts, and refuses a wrong one with one line.
 */
import { ensureBundle } from './lib/build-bundle.ts';
import { fail } from './lib/fail.ts';
import { SETTINGS_FILE } from './lib/paths.ts';
import { serveLocally } from './lib/serve-locally.ts';
import { readSettings } from './lib/settings.ts';

try {
  const [argument] = process.argv.slice(2);
  if (argument !== undefined) {
    throw new Error(
      `npm start takes no ${argument}; settings are variables, such as PORT=8788 npm start.`,
    );
  }
  await serveLocally(readSettings(process.env, SETTINGS_FILE), ensureBundle);
} catch (error) {
  fail(error);
}
