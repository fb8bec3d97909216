/** Bundles an example with the package into one file, as a person who copied the example would run it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';
import { ROOT } from '../../scripts/lib/paths.ts';

const PACKAGE = {
  holdpoint: path.join(ROOT, 'src/client/index.ts'),
  'holdpoint/client': path.join(ROOT, 'src/client/index.ts'),
  'holdpoint/in-process': path.join(ROOT, 'src/in-process/index.ts'),
  'holdpoint/in-process/anthropic': path.join(ROOT, 'src/in-process/anthropic.ts'),
  'holdpoint/claude': path.join(ROOT, 'src/integrations/claude/index.ts'),
  'holdpoint/ai-sdk': path.join(ROOT, 'src/integrations/ai-sdk/index.ts'),
  'holdpoint/openai-agents': path.join(ROOT, 'src/integrations/openai-agents/index.ts'),
  'holdpoint/acp': path.join(ROOT, 'src/integrations/acp/index.ts'),
  'holdpoint/a2a': path.join(ROOT, 'src/integrations/a2a/index.ts'),
  'holdpoint/codex': path.join(ROOT, 'src/integrations/codex/index.ts'),
  'holdpoint/langgraph': path.join(ROOT, 'src/integrations/langgraph/index.ts'),
};

const AGENT_SDK = '@anthropic-ai/claude-agent-sdk';

export interface Bundled {
  readonly file: string;
  remove(): void;
}

export async function bundleExample(
  entry: string,
  {
    folder,
    alias = {},
    external = [],
  }: {
    folder?: string;
    alias?: Readonly<Record<string, string>>;
    /** Packages that are installed above the folder. */
    external?: readonly string[];
  } = {},
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
    mainFields: ['module', 'main'],
    target: 'es2022',
    alias: { ...PACKAGE, ...alias },
    loader: { '.sql': 'text' },
    external: ['node:*', ...external, ...(AGENT_SDK in alias ? [] : [AGENT_SDK])],
    logLevel: 'warning',
  });
  return { file, remove: () => rmSync(into, { recursive: true, force: true }) };
}
