/**
 * `holdpoint hook` as one file: a hook runs before every tool call of an agent, and each module that it loads, or strips of
 * its types, is time before every call.
 */
import path from 'node:path';
import { HOOK_PROGRAM, ROOT } from './paths.ts';

export async function bundleHook(file: string = HOOK_PROGRAM): Promise<void> {
  // Loaded here, because the other builds do not need esbuild.
  const { build } = await import('esbuild');
  await build({
    entryPoints: [path.join(ROOT, 'src/cli/hook-main.ts')],
    outfile: file,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'error',
  });
}
