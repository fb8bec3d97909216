/**
 * Builds the Worker into dist/, the same bundle that `wrangler deploy` uploads.
 *
 * The bundle is built beside dist/ and moved into place, so that a reader of dist/ never finds half of it.
 */
import { renameSync, rmSync } from 'node:fs';
import { hashSources, isFresh, writeStamp } from './build-stamp.ts';
import { DIST, ROOT } from './paths.ts';
import { spawnWrangler } from './wrangler.ts';

/** Returns the warnings of wrangler, such as a setting that it does not know. */
export async function buildBundle(): Promise<string[]> {
  const fresh = `${DIST}.${process.pid}`;
  const sources = hashSources(ROOT);
  const { code, output } = await runWrangler(['deploy', '--dry-run', '--outdir', fresh]);
  if (code !== 0) {
    rmSync(fresh, { recursive: true, force: true });
    throw new Error(`The build failed:\n${output.trim()}`);
  }
  writeStamp(fresh, sources);
  rmSync(DIST, { recursive: true, force: true });
  renameSync(fresh, DIST);
  return output.split('\n').filter((line) => line.includes('[WARNING]'));
}

/** For a start: a bundle of the present sources is built once. */
export async function ensureBundle(): Promise<void> {
  if (!isFresh(ROOT, DIST)) await buildBundle();
}

function runWrangler(args: readonly string[]): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawnWrangler(args, ['ignore', 'pipe', 'pipe']);
    let output = '';
    const keep = (chunk: Buffer) => (output += chunk.toString());
    child.stdout?.on('data', keep);
    child.stderr?.on('data', keep);
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, output }));
  });
}
