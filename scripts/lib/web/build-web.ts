/**
 * Builds the hosted chat into one text, `dist-web/chat.bundle`, which the Worker imports.
 *
 * Plain workerd has no asset service, so the Worker contains the files. Each name holds a hash of the content: a page
 * loaded before a deploy never mixes its scripts with those of the next version.
 */
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { type BuildOptions, build, type Plugin, transform } from 'esbuild';
import { ROOT } from '../paths.ts';

const SOURCE = path.join(ROOT, 'src/web');
const MAIN = path.join(SOURCE, 'main.tsx');
const STATIC = path.join(SOURCE, 'static');

const TARGETS = ['chrome123', 'firefox120', 'safari17.5'];

export interface WebBundle {
  /** The page that `/` and `/inbox` serve. */
  readonly page: string;
  /** The service worker of the page. */
  readonly worker: string;
  /** Keyed by the name after `/assets/`. */
  readonly assets: Readonly<Record<string, string>>;
  /** Likewise, in base64. */
  readonly pictures: Readonly<Record<string, string>>;
  /** The stylesheet of answer links, by its name among the assets. */
  readonly linkStyle: string;
}

export async function buildWeb(): Promise<WebBundle> {
  const script = await bundled();
  const mainStyle = await buildStyle('styles/index.css');
  const names = new Map([...script.names, ['main.css', mainStyle.name]]);
  const built = { ...script.assets, ...mainStyle.assets };
  const { names: fixed, assets: texts, pictures } = staticFiles();
  let page = readFileSync(path.join(SOURCE, 'page.html'), 'utf8');
  for (const [name, hashed] of [...names, ...fixed]) {
    page = page.replaceAll(`/assets/${name}"`, `/assets/${hashed}"`);
  }
  const preloads = script.preloaded.map(
    (name) => `<link rel="modulepreload" href="/assets/${name}">\n`,
  );
  page = page.replace('<script', `${preloads.join('')}<script`);
  const style = await buildStyle('answer-link/answer-link.css');
  const assets = { ...built, ...texts, ...style.assets };
  const version = hashOf(JSON.stringify([page, Object.keys(assets), Object.keys(pictures)]));
  page = page.replace('<link', `<meta name="version" content="${version}">\n<link`);
  const worker = await buildWorker(version, Object.keys({ ...built, ...texts }), fixed);
  return { page, worker, assets, pictures, linkStyle: style.name };
}

/** The worker stores everything but pictures: the system shows these, and fetches them itself. */
async function buildWorker(
  version: string,
  names: readonly string[],
  fixed: Files['names'],
): Promise<string> {
  const files = names.filter((name) => !name.endsWith('.webmanifest')).toSorted();
  const shell = { version, files: files.map((name) => `/assets/${name}`) };
  const { outputFiles } = await build({
    ...COMMON,
    entryPoints: [path.join(ROOT, 'src/service-worker/main.ts')],
    format: 'iife',
    define: {
      SHELL: JSON.stringify(shell),
      ICONS: JSON.stringify({
        icon: `/assets/${fixed.get('icon-192.png')}`,
        badge: `/assets/${fixed.get('badge-96.png')}`,
      }),
    },
  });
  return outputFiles[0]?.text ?? '';
}

/** `import text from './part.css?inline'`, as vite has it: the style of a part that is fetched later. */
const cssAsText: Plugin = {
  name: 'css-as-text',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /\.css\?inline$/ }, ({ path: name, resolveDir }) => ({
      path: path.resolve(resolveDir, name.replace('?inline', '')),
      namespace: 'css-as-text',
    }));
    onLoad({ filter: /./, namespace: 'css-as-text' }, async ({ path: file }) => {
      const css = readFileSync(file, 'utf8');
      const { code } = await transform(css, { loader: 'css', minify: true, target: TARGETS });
      return { contents: code, loader: 'text' };
    });
  },
};

/**
 * Lets each part that is fetched later import the whole first load. esbuild makes a file for each set of parts that share
 * a module; if they all share the first load, it is one file, and compresses better than a dozen by a tenth.
 */
const oneFirstLoad: Plugin = {
  name: 'one-first-load',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /./ }, ({ kind, path: name, resolveDir }) =>
      kind === 'dynamic-import'
        ? { path: path.resolve(resolveDir, name), namespace: 'later-part' }
        : undefined,
    );
    onLoad({ filter: /./, namespace: 'later-part' }, ({ path: file }) => ({
      contents: `import ${JSON.stringify(MAIN)};\nexport * from ${JSON.stringify(file)};`,
      resolveDir: SOURCE,
    }));
  },
};

/** That of the chat, and that of answer links, which is made from some of its parts. */
async function buildStyle(
  source: string,
): Promise<Pick<Files, 'assets'> & { readonly name: string }> {
  const { outputFiles } = await build({
    ...COMMON,
    entryPoints: [path.join(SOURCE, source)],
    outdir: 'assets',
    entryNames: '[name]-[hash]',
  });
  const [file] = outputFiles;
  if (file === undefined) throw new Error(`The stylesheet ${source} was not built`);
  const name = path.basename(file.path);
  return { name, assets: { [name]: file.text } };
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

const COMMON = {
  absWorkingDir: ROOT,
  bundle: true,
  minify: true,
  platform: 'browser',
  target: TARGETS,
  legalComments: 'none',
  write: false,
} as const satisfies BuildOptions;

async function bundled(): Promise<Bundled> {
  const { outputFiles, metafile } = await build({
    ...COMMON,
    entryPoints: [MAIN],
    outdir: 'assets',
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    splitting: true,
    format: 'esm',
    plugins: [cssAsText, oneFirstLoad],
    // The style is built by itself: otherwise each part would have a copy.
    loader: { '.css': 'empty' },
    jsx: 'automatic',
    jsxImportSource: 'preact',
    metafile: true,
  });
  const names = new Map<string, string>();
  let preloaded: readonly string[] = [];
  for (const [file, { entryPoint, imports }] of Object.entries(metafile.outputs)) {
    if (entryPoint !== 'src/web/main.tsx') continue;
    names.set('main.js', path.basename(file));
    preloaded = imports
      .filter(({ kind }) => kind === 'import-statement')
      .map((one) => path.basename(one.path));
  }
  const assets = Object.fromEntries(outputFiles.map((one) => [path.basename(one.path), one.text]));
  return { names, assets, preloaded };
}

interface StaticFiles extends Files {
  readonly pictures: Readonly<Record<string, string>>;
}

/** Icons and manifest; the manifest names the icons. */
function staticFiles(): StaticFiles {
  const names = new Map<string, string>();
  const assets: Record<string, string> = {};
  const pictures: Record<string, string> = {};
  const isManifest = (name: string) => name.endsWith('.webmanifest');
  // The icons come before the manifest that names them.
  const found = readdirSync(STATIC).toSorted();
  for (const name of [...found.filter((one) => !isManifest(one)), ...found.filter(isManifest)]) {
    const isPicture = name.endsWith('.png');
    let text = readFileSync(path.join(STATIC, name), isPicture ? 'base64' : 'utf8');
    if (!isPicture) {
      for (const [other, hashed] of names)
        text = text.replaceAll(`/assets/${other}"`, `/assets/${hashed}"`);
    }
    const { name: stem, ext } = path.parse(name);
    const hashed = `${stem}-${hashOf(text)}${ext}`;
    names.set(name, hashed);
    (isPicture ? pictures : assets)[hashed] = text;
  }
  return { names, assets, pictures };
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 8).toUpperCase();
}
