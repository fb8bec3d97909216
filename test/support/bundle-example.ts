/** An example as whoever copied it runs it: one file, with the package in it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';
import { ROOT } from '../../scripts/lib/paths.ts';

const PACKAGE = {
  holdpoint: path.join(ROOT, 'src/client/index.ts'),
  'holdpoint/client': path.join(ROOT, 'src/client/index.ts'),
  'holdpoint/claude': path.join(ROOT, 'src/integrations/claude/index.ts'),
};

export interface Bundled {
  readonly file: string;
  remove(): void;
}

export async function bundleExample(
  entry: string,
  { folder, alias = {} }: { folder?: string; alias?: Readonly<Record<string, string>> } = {},
): Promise<Bundled> {
  const into = folder ?? mkdtempSync(path.join(tmpdir(), 'holdpoint-example-'));
  const file = path.join(into, `${path.basename(entry, '.ts')}.mjs`);
  await build({
    absWorkingDir: ROOT,
    entryPoints: [entry],
    outfile: file,
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    target: 'es2022',
    alias: { ...PACKAGE, ...alias },
    external: ['node:*', ...('@anthropic-ai/claude-agent-sdk' in alias ? [] : ['@anthropic-ai/*'])],
    logLevel: 'warning',
  });
  return { file, remove: () => rmSync(into, { recursive: true, force: true }) };
}
