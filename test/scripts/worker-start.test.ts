/**
 * What the Worker loads before its first request. workerd compiles every byte of the Worker at each start, and runs what
 * its entry imports statically: a bug here looks like a restart that keeps every waiting agent longer.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { build, type Metafile } from 'esbuild';
import { beforeAll, expect, it } from 'vitest';
import { ROOT } from '../../scripts/lib/paths.ts';

/** Minified bytes: all of the Worker, and what runs before the first request. A few percent above what they are. */
const WHOLE_BYTES = 1_410_000;
const START_BYTES = 960_000;

/** Only a turn of the built-in agent, a login or an MCP client uses them. */
const LATER = [
  'node_modules/@anthropic-ai/',
  'node_modules/@modelcontextprotocol/',
  'node_modules/jose/',
  'node_modules/oauth4webapi/',
  'node_modules/@opentelemetry/',
  'src/platform/anthropic/',
  'src/platform/demo-model/',
  'src/integrations/mcp/serve-http.ts',
];

let outputs: Metafile['outputs'];

beforeAll(async () => {
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: ['src/worker.ts'],
    outdir: 'unwritten',
    write: false,
    bundle: true,
    splitting: true,
    minify: true,
    metafile: true,
    format: 'esm',
    conditions: ['workerd', 'worker', 'browser'],
    external: ['cloudflare:*', 'node:*', '*.bundle'],
    loader: { '.sql': 'text' },
    define: { 'process.env.NODE_ENV': '"production"' },
  });
  ({ outputs } = metafile);
});

it('runs nothing at the start that only a turn, a login or an MCP client needs', () => {
  const inputs = startOutputs().flatMap((name) => Object.keys(outputs[name]?.inputs ?? {}));
  expect(inputs).toContain('src/session/session.ts');
  expect(inputs.filter((input) => LATER.some((part) => input.includes(part)))).toEqual([]);
  // The reference and the chat are bytes beside the code.
  expect(inputs.filter((input) => input.startsWith('scripts/'))).toEqual([]);
});

it('checks no pattern with classes of Unicode before it is used', () => {
  const sources = Object.values(outputs).flatMap(({ inputs }) => Object.keys(inputs));
  const literals = sources
    .filter((source) => source.startsWith('src/'))
    .flatMap((source) => readFileSync(path.join(ROOT, source), 'utf8').split('\n'))
    .filter((line) => line.includes(String.raw`\p{`) && !/String\.raw`|^ \*/.test(line));
  expect(literals).toEqual([]);
});

it('stays within the bytes of a quick start', () => {
  expect(bytesOf(startOutputs())).toBeLessThan(START_BYTES);
  expect(bytesOf(Object.keys(outputs))).toBeLessThan(WHOLE_BYTES);
});

/** The entry and what it imports statically, directly or not. */
function startOutputs(): string[] {
  const found = new Set<string>();
  const visit = (name: string) => {
    if (found.has(name)) return;
    found.add(name);
    for (const { path: imported, kind, external } of outputs[name]?.imports ?? []) {
      if (kind === 'import-statement' && external !== true) visit(imported);
    }
  };
  visit(path.posix.join('unwritten', 'worker.js'));
  return [...found];
}

function bytesOf(names: readonly string[]): number {
  return names.reduce((sum, name) => sum + (outputs[name]?.bytes ?? 0), 0);
}
