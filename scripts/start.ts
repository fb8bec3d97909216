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
  await serveLocally(readSettings(process.env, DEV_VARS), buildBundle);
} catch (error) {
  fail(error);
}
