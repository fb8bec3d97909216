/**
 * Builds the Worker into dist/, the same bundle that `wrangler deploy` uploads.
 *
 * It is built beside dist/ and moved into place, so that a reader of dist/ never finds half a bundle.
 */
import { spawn } from 'node:child_process';
import { renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { DIST, ROOT, binary } from './paths.ts';

export async function buildBundle(): Promise<void> {
  const fresh = `${DIST}.${process.pid}`;
  const { code, output } = await runWrangler(['deploy', '--dry-run', '--outdir', fresh]);
  if (code !== 0) {
    rmSync(fresh, { recursive: true, force: true });
    throw new Error(`The build failed:\n${output.trim()}`);
  }
  rmSync(DIST, { recursive: true, force: true });
  renameSync(fresh, DIST);
}

function runWrangler(args: readonly string[]): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [binary('wrangler', 'bin/wrangler.js'), ...args], {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        // The build command in wrangler.toml runs `node`, which is to be the Node that runs us.
        PATH: `${path.dirname(process.execPath)}${path.delimiter}${process.env['PATH'] ?? ''}`,
        // Without these wrangler prints stack traces and an update notice when there is no network.
        CLOUDFLARE_CF_FETCH_ENABLED: 'false',
        WRANGLER_SEND_METRICS: 'false',
        WRANGLER_HIDE_BANNER: 'true',
      },
    });
    let output = '';
    const keep = (chunk: Buffer) => (output += chunk.toString());
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, output }));
  });
}
