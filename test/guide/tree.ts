/** Copies the sources that a guide builds on to a folder outside of the repository, and links the packages. */
import { execFile } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { binary, ROOT } from '../../scripts/lib/paths.ts';
import { type GuideFile, patched } from './guide.ts';

const PARTS = [
  'docs',
  'migrations',
  'src',
  'test/support',
  'test/tsconfig.json',
  'tsconfig.base.json',
  'tsconfig.json',
  'package.json',
];

/** The project of the repository that checks a file, and the declarations that the project adds to all its files. */
const PROJECTS = [
  { of: /^src\/web\//, config: './src/web/tsconfig.json', declares: 'src/web/css.d.ts' },
  { of: /^src\//, config: './tsconfig.json', declares: 'migrations/sql.d.ts' },
  { of: /^test\//, config: './test/tsconfig.json', declares: 'migrations/sql.d.ts' },
];

export class Tree {
  readonly folder = mkdtempSync(path.join(tmpdir(), 'holdpoint-guide-'));

  constructor() {
    for (const part of PARTS) {
      cpSync(path.join(ROOT, part), path.join(this.folder, part), { recursive: true });
    }
    symlinkSync(path.join(ROOT, 'node_modules'), path.join(this.folder, 'node_modules'), 'dir');
  }

  read(file: string): string {
    return readFileSync(path.join(this.folder, file), 'utf8');
  }

  follow({ path: file, isNew, text }: GuideFile): void {
    const to = path.join(this.folder, file);
    mkdirSync(path.dirname(to), { recursive: true });
    // A new file must not exist yet and a changed file must exist, or the guide is wrong.
    writeFileSync(to, isNew ? text : patched(this.read(file), text), { flag: isNew ? 'wx' : 'r+' });
  }

  /** Imports a module of this tree, or of another one. Node reads no JSX, so such a module is bundled first. */
  async load<Module>(file: string, folder = this.folder): Promise<Module> {
    const source = path.join(folder, file);
    const to = source.endsWith('.tsx') ? await bundled(source) : source;
    return import(/* @vite-ignore */ pathToFileURL(to).href) as Promise<Module>;
  }

  /** The type errors of these files, each checked by its own project. */
  async typeErrors(files: readonly string[]): Promise<string> {
    const sources = files.filter((file) => /\.tsx?$/.test(file));
    const said = PROJECTS.map(async ({ config, declares }, at) => {
      const own = sources.filter((file) => PROJECTS.findIndex(({ of }) => of.test(file)) === at);
      const project = path.join(this.folder, `tsconfig.guide-${at}.json`);
      const settings = { extends: config, include: [], files: [...own, declares] };
      writeFileSync(project, JSON.stringify(settings));
      const command = [binary('typescript', 'bin/tsc'), '--project', project];
      return promisify(execFile)(process.execPath, command).then(
        () => '',
        (failed: { stdout: string; stderr: string }) => failed.stdout + failed.stderr,
      );
    });
    return (await Promise.all(said)).join('');
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

async function bundled(source: string): Promise<string> {
  const outfile = path.join(mkdtempSync(path.join(tmpdir(), 'holdpoint-card-')), 'module.mjs');
  const loader = { '.css': 'empty' } as const;
  const shape = { format: 'esm', jsx: 'automatic', jsxImportSource: 'preact' } as const;
  await build({ entryPoints: [source], outfile, bundle: true, loader, ...shape });
  return outfile;
}
