/**
 * Builds the hosted chat into one text, `dist-web/chat.bundle`, which the Worker imports.
 *
 * Plain workerd has no asset service, so the Worker contains the files. Each name holds a hash of the content: a page
 * loaded before a deploy never mixes its scripts with those of the next version.
 */
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { ROOT } from '../paths.ts';

const SOURCE = path.join(ROOT, 'src/web');
const STATIC = path.join(SOURCE, 'static');

export interface WebBundle {
  /** The page that `/` and `/inbox` serve. */
  readonly page: string;
  /** Keyed by the name after `/assets/`. */
  readonly assets: Readonly<Record<string, string>>;
}

export async function buildWeb(): Promise<WebBundle> {
  const { names, assets, preloaded } = await bundled();
  const fixed = staticFiles();
  let page = readFileSync(path.join(SOURCE, 'page.html'), 'utf8');
  for (const [name, hashed] of [...names, ...fixed.names]) {
    page = page.replaceAll(`/assets/${name}"`, `/assets/${hashed}"`);
  }
  const preloads = preloaded.map((name) => `<link rel="modulepreload" href="/assets/${name}">\n`);
  page = page.replace('<script', `${preloads.join('')}<script`);
  return { page, assets: { ...assets, ...fixed.assets } };
}

interface Files {
  /** The name in the page, and the name under which the Worker serves it. */
  readonly names: ReadonlyMap<string, string>;
  readonly assets: Readonly<Record<string, string>>;
}

interface Bundled extends Files {
  /** Static imports of the script; the page names them, because the browser would discover them late. */
  readonly preloaded: readonly string[];
}

async function bundled(): Promise<Bundled> {
  const { outputFiles, metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: [path.join(SOURCE, 'main.tsx')],
    outdir: 'assets',
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: ['chrome123', 'firefox120', 'safari17.5'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    legalComments: 'none',
    metafile: true,
    write: false,
  });
  const names = new Map<string, string>();
  let preloaded: readonly string[] = [];
  for (const [file, { entryPoint, imports }] of Object.entries(metafile.outputs)) {
    if (file.endsWith('.css')) names.set('main.css', path.basename(file));
    if (entryPoint !== 'src/web/main.tsx' || file.endsWith('.css')) continue;
    names.set('main.js', path.basename(file));
    preloaded = imports
      .filter(({ kind }) => kind === 'import-statement')
      .map((one) => path.basename(one.path));
  }
  const assets = Object.fromEntries(outputFiles.map((one) => [path.basename(one.path), one.text]));
  return { names, assets, preloaded };
}

/** Icon and manifest; the manifest names the icon. */
function staticFiles(): Files {
  const names = new Map<string, string>();
  const assets: Record<string, string> = {};
  // The icon comes before the manifest that names it.
  for (const name of readdirSync(STATIC).toSorted()) {
    let text = readFileSync(path.join(STATIC, name), 'utf8');
    for (const [other, hashed] of names)
      text = text.replaceAll(`/assets/${other}"`, `/assets/${hashed}"`);
    const { name: stem, ext } = path.parse(name);
    const hashed = `${stem}-${hashOf(text)}${ext}`;
    names.set(name, hashed);
    assets[hashed] = text;
  }
  return { names, assets };
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 8).toUpperCase();
}
