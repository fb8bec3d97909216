import path from 'node:path';

export const ROOT = path.resolve(import.meta.dirname, '../..');
export const DIST = path.join(ROOT, 'dist');
export const PACKAGE = path.join(ROOT, 'dist-package');
/** The hosted chat as one text; `src/worker.ts` imports it. */
export const WEB_BUNDLE = path.join(ROOT, 'dist-web/chat.bundle');
/** The API reference, likewise. */
export const REFERENCE_BUNDLE = path.join(ROOT, 'dist-web/reference.bundle');
export const DEV_VARS = path.join(ROOT, '.dev.vars');
export const WRANGLER_TOML = path.join(ROOT, 'wrangler.toml');

export function binary(packageName: string, file: string): string {
  return path.join(ROOT, 'node_modules', packageName, file);
}
