/**
 * Builds the package beside dist-package/ and then moves it there, so that a reader never finds half of it.
 *
 * Entries share their common modules, so that a `ClientError` of one entry is a `ClientError` of another. The code is not
 * minified: a bundler does that, and stack traces stay readable. TypeScript 7 writes the declarations; tsdown calls that
 * experimental, so `npm run check -- package` checks the result.
 */
import { cpSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { bundleHook } from '../bundle-hook.ts';
import { PACKAGE, ROOT } from '../paths.ts';
import { entries, manifest, PROGRAM, type Entry } from './manifest.ts';
import { packedReadme } from './packed-readme.ts';

export async function buildPackage(): Promise<void> {
  const fresh = `${PACKAGE}.${process.pid}`;
  try {
    const all = entries();
    const packages = await buildEntries(all, fresh);
    await bundleHook(path.join(fresh, 'hook.js'));
    const json = JSON.stringify(manifest(all, packages), null, 2);
    writeFileSync(path.join(fresh, 'package.json'), `${json}\n`);
    cpSync(path.join(ROOT, 'LICENSE'), path.join(fresh, 'LICENSE'));
    writeFileSync(path.join(fresh, 'README.md'), packedReadme());
    rmSync(PACKAGE, { recursive: true, force: true });
    renameSync(fresh, PACKAGE);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

/** The packages that the modules and declarations import. */
async function buildEntries(all: readonly Entry[], folder: string): Promise<string[]> {
  // Loaded here, because the other builds do not need tsdown.
  const { build } = await import('tsdown');
  const tsconfig = `${folder}.json`;
  writeFileSync(tsconfig, JSON.stringify(compilerConfig(all)));
  try {
    const bundles = await build({
      config: false,
      cwd: ROOT,
      entry: {
        ...Object.fromEntries(all.map(({ name, source }) => [name, source])),
        [PROGRAM.file]: PROGRAM.source,
      },
      outDir: folder,
      format: 'esm',
      platform: 'neutral',
      target: 'es2022',
      fixedExtension: false,
      loader: { '.sql': 'text' },
      deps: { neverBundle: [/^node:/] },
      dts: true,
      plugins: [zodInDeclarations, hookInOneFile],
      tsconfig,
      outputOptions: { chunkFileNames: 'shared/[name]-[hash].js' },
      report: false,
      logLevel: 'error',
    });
    const chunks = bundles
      .flatMap((bundle) => bundle.chunks)
      .filter(({ type }) => type === 'chunk');
    const own = new Set(chunks.map(({ fileName }) => fileName));
    const imported = chunks
      .flatMap((chunk) => ('imports' in chunk ? [...chunk.imports, ...chunk.dynamicImports] : []))
      .filter((name) => !own.has(name) && !/^(?:node:|\.\/)/.test(name));
    return [...new Set(imported.map(packageOf))].toSorted();
  } finally {
    rmSync(tsconfig);
  }
}

const ZOD = /\/zod\.ts$/;

/** Types are those of zod: `protocol/schema/zod.ts` adds none, and a bundled declaration loses what it exports again. */
const zodInDeclarations = {
  name: 'zod-in-declarations',
  resolveId: {
    order: 'pre',
    handler(source: string, importer: string | undefined) {
      const isDeclared = importer?.endsWith('.d.ts') === true && ZOD.test(source);
      return isDeclared ? { id: 'zod', external: true } : null;
    },
  },
} as const;

/** The program starts its hook from a file of its own, which shares no module with it. */
const hookInOneFile = {
  name: 'hook-in-one-file',
  resolveId: {
    order: 'pre',
    handler: (source: string) =>
      source === './hook-main.ts' ? { id: './hook.js', external: true } : null,
  },
} as const;

function compilerConfig(all: readonly Entry[]): object {
  const sources = [...all.map(({ source }) => source), PROGRAM.source];
  const files = [...sources, 'migrations/sql.d.ts', 'src/bundle.d.ts'];
  return {
    extends: path.join(ROOT, 'tsconfig.base.json'),
    compilerOptions: { types: ['node'], typeRoots: [path.join(ROOT, 'node_modules/@types')] },
    files: files.map((file) => path.join(ROOT, file)),
  };
}

/** `@noble/hashes/sha2.js` is in `@noble/hashes`. */
export function packageOf(specifier: string): string {
  return specifier
    .split(path.posix.sep)
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}
