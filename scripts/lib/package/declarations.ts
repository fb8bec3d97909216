/**
 * The types of the package: the declarations that its entries reach, as `tsc` writes them.
 *
 * Imports end in `.js` there, because a checker that is not told to allow `.ts` refuses it, even in the
 * declarations of somebody else.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT, binary } from '../paths.ts';
import { run } from '../run.ts';
import type { Entry } from './entries.ts';
import { packageOf } from './modules.ts';

const IMPORT = /(\bfrom |\bimport\(|\bimport )(['"])([^'"\n]+)\2/g;

/** Writes them below `folder`, and answers which other packages they import. */
export async function buildDeclarations(
  entries: readonly Entry[],
  folder: string,
): Promise<string[]> {
  const all = `${folder}.all`;
  await emit(entries, all);
  const packages = new Set<string>();
  const reached = new Set(entries.map(({ source }) => declarationOf(source)));
  // What is added while it runs is visited too.
  for (const file of reached) {
    const text = readFileSync(path.join(all, file), 'utf8');
    const rewritten = text.replace(IMPORT, (_, before: string, quote: string, name: string) => {
      if (!name.startsWith('.')) packages.add(packageOf(name));
      else reached.add(path.posix.join(path.posix.dirname(file), declarationOf(name)));
      return before + quote + (name.startsWith('.') ? name.replace(/\.ts$/, '.js') : name) + quote;
    });
    const target = path.join(folder, file);
    mkdirSync(path.dirname(target), { recursive: true });
    writeFileSync(target, rewritten);
  }
  rmSync(all, { recursive: true, force: true });
  return [...packages].filter((name) => !name.startsWith('node:')).toSorted();
}

/** Where the declarations of a module stand below the folder of all. */
export function declarationOf(source: string): string {
  return source.replace(/^src\//, '').replace(/\.ts$/, '.d.ts');
}

async function emit(entries: readonly Entry[], folder: string): Promise<void> {
  const config = `${folder}.json`;
  const options = {
    noEmit: false,
    declaration: true,
    emitDeclarationOnly: true,
    rootDir: path.join(ROOT, 'src'),
    outDir: folder,
    types: ['node'],
    typeRoots: [path.join(ROOT, 'node_modules/@types')],
  };
  const files = [...entries.map(({ source }) => source), 'migrations/sql.d.ts'];
  mkdirSync(path.dirname(config), { recursive: true });
  writeFileSync(
    config,
    JSON.stringify({
      extends: path.join(ROOT, 'tsconfig.base.json'),
      compilerOptions: options,
      files: files.map((file) => path.join(ROOT, file)),
    }),
  );
  const code = await run(process.execPath, [binary('typescript', 'bin/tsc'), '--project', config]);
  rmSync(config);
  if (code !== 0) throw new Error('The declarations could not be written');
}
