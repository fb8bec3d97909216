/** Builds the package into dist-package/, beside it first: nobody finds half of one. */
import { cpSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { PACKAGE, ROOT } from '../paths.ts';
import { buildDeclarations } from './declarations.ts';
import { entries } from './entries.ts';
import { manifest } from './manifest.ts';
import { buildModules } from './modules.ts';

/** The repository's own leads to pages and pictures that are not in the package. */
const README = path.join(import.meta.dirname, 'package-readme.md');

export async function buildPackage(): Promise<void> {
  const fresh = `${PACKAGE}.${process.pid}`;
  try {
    const all = entries();
    const [imported, named] = await Promise.all([
      buildModules(all, fresh),
      buildDeclarations(all, path.join(fresh, 'types')),
    ]);
    const packages = [...new Set([...imported, ...named])].toSorted();
    const json = JSON.stringify(manifest(all, packages), null, 2);
    writeFileSync(path.join(fresh, 'package.json'), `${json}\n`);
    cpSync(path.join(ROOT, 'LICENSE'), path.join(fresh, 'LICENSE'));
    cpSync(README, path.join(fresh, 'README.md'));
    rmSync(PACKAGE, { recursive: true, force: true });
    renameSync(fresh, PACKAGE);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}
