/** Builds the two files that the Worker imports, the hosted chat and the API reference, each in gzip. */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { ROUTES } from '../../../src/http/routes/index.ts';
import { REFERENCE_BUNDLE, ROOT, WEB_BUNDLE } from '../paths.ts';
import { buildReference } from '../reference/build-reference.ts';
import { buildWeb } from './build-web.ts';

export async function buildBundles(): Promise<void> {
  const manifest = readFileSync(path.join(ROOT, 'package.json'), 'utf8');
  const { version } = JSON.parse(manifest) as { version: string };
  writeBundle(REFERENCE_BUNDLE, buildReference(ROUTES, version));
  writeBundle(WEB_BUNDLE, await buildWeb());
}

/** Writes a file beside and renames it, so that a reader never finds half of it. */
function writeBundle(file: string, parts: object): void {
  const fresh = `${file}.${process.pid}`;
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(fresh, gzipSync(JSON.stringify(parts)));
  renameSync(fresh, file);
}
