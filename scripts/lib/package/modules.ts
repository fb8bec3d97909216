/**
 * The JavaScript of the package: one module for each entry, and what they share beside them, so that a
 * `ClientError` of one entry is a `ClientError` of the other.
 *
 * It is not minified: whoever bundles it does that, and whoever reads a stack trace can read it.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Metafile, build } from 'esbuild';
import { ROOT } from '../paths.ts';
import type { Entry } from './entries.ts';

/** Which other packages the modules import. */
export async function buildModules(entries: readonly Entry[], folder: string): Promise<string[]> {
  const { metafile, outputFiles } = await build({
    absWorkingDir: ROOT,
    entryPoints: entries.map(({ name, source }) => ({ in: source, out: name })),
    outdir: folder,
    chunkNames: 'shared/[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'neutral',
    target: 'es2022',
    packages: 'external',
    external: ['node:*'],
    loader: { '.sql': 'text' },
    metafile: true,
    write: false,
    logLevel: 'warning',
  });
  for (const { path: file, text } of outputFiles) {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, withoutBareImports(text));
  }
  return importedPackages(metafile);
}

/**
 * An import of nothing only keeps modules in order that do something when they are loaded. None of
 * ours does, and every bundler of whoever uses the package would warn of each.
 */
function withoutBareImports(text: string): string {
  return text.replaceAll(/^import "\.{1,2}\/[^"]+";\n/gm, '');
}

function importedPackages({ outputs }: Metafile): string[] {
  const imported = Object.values(outputs)
    .flatMap(({ imports }) => imports)
    .filter((one) => one.external === true && !one.path.startsWith('node:'))
    .map((one) => packageOf(one.path));
  return [...new Set(imported)].toSorted();
}

/** `@noble/hashes/sha2.js` is in `@noble/hashes`. */
export function packageOf(specifier: string): string {
  return specifier
    .split(path.posix.sep)
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}
