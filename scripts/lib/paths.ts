import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';

export const ROOT = path.resolve(import.meta.dirname, '../..');
export const DIST = path.join(ROOT, 'dist');
export const PACKAGE = path.join(ROOT, 'dist-package');
/** `holdpoint hook` as one file, which `holdpoint connect` of a clone writes into settings. */
export const HOOK_PROGRAM = path.join(ROOT, 'dist-hook/hook.js');
/** The hosted chat as one text; `src/worker.ts` imports it. */
export const WEB_BUNDLE = path.join(ROOT, 'dist-web/chat.bundle');
/** The API reference, likewise. */
export const REFERENCE_BUNDLE = path.join(ROOT, 'dist-web/reference.bundle');
export const DEV_VARS = path.join(ROOT, '.dev.vars');
/** Where `npm start` reads settings and keeps the secrets that it makes; the repository may be read-only. */
export const SETTINGS_FILE = path.resolve(process.env['HOLDPOINT_SETTINGS'] || DEV_VARS);
export const WRANGLER_TOML = path.join(ROOT, 'wrangler.toml');

export function binary(packageName: string, file: string): string {
  return path.join(ROOT, 'node_modules', packageName, file);
}

/** Every .ts and .tsx file below a folder, as paths with forward slashes relative to root. */
export function sourceFiles(root: string, folder: string): string[] {
  return listFiles(root, folder, /\.tsx?$/);
}

/** The files below a folder whose names match, likewise. */
export function listFiles(root: string, folder: string, name: RegExp): string[] {
  const start = path.join(root, folder);
  if (!existsSync(start)) return [];
  return readdirSync(start, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && name.test(entry.name))
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)))
    .map((file) => file.split(path.sep).join('/'))
    .filter((file) => !file.includes('node_modules/'))
    .toSorted();
}
