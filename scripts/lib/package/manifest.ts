/** Describes the published package: its entries, and the package.json that names them. The repository's own stays private. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../paths.ts';

/** The entries of the published package: `holdpoint/<name>` and its source module. The main entry is also `holdpoint`. */
export interface Entry {
  readonly name: string;
  readonly source: string;
  /** The import of `holdpoint` alone resolves to this entry. */
  readonly isMain?: true;
  /** The oldest Node that can import the entry; `engines` of the package says 20. An older one reads a sentence. */
  readonly node: number;
  /**
   * What the entry is used with, and the oldest version. Without an upper bound: npm refuses to install a newer version beside
   * an optional peer that excludes it.
   */
  readonly peers?: Readonly<Record<string, string>>;
}

const ENTRIES: readonly Entry[] = [
  { name: 'client', source: 'src/client/index.ts', isMain: true, node: 20 },
  // The HTTP application grows an ArrayBuffer with `transfer`.
  { name: 'in-process', source: 'src/in-process/index.ts', node: 22 },
  { name: 'in-process/anthropic', source: 'src/in-process/anthropic.ts', node: 20 },
  // It needs node:sqlite.
  { name: 'in-process/sqlite', source: 'src/in-process/sqlite.ts', node: 24 },
  {
    name: 'claude',
    source: 'src/integrations/claude/index.ts',
    node: 20,
    peers: { '@anthropic-ai/claude-agent-sdk': '>=0.3.0' },
  },
  {
    name: 'ai-sdk',
    source: 'src/integrations/ai-sdk/index.ts',
    node: 20,
    peers: { ai: '>=7.0.0' },
  },
  {
    name: 'openai-agents',
    source: 'src/integrations/openai-agents/index.ts',
    node: 20,
    peers: { '@openai/agents': '>=0.20.0' },
  },
  {
    name: 'acp',
    source: 'src/integrations/acp/index.ts',
    node: 20,
    peers: { '@agentclientprotocol/sdk': '>=2.0.0' },
  },
  { name: 'codex', source: 'src/integrations/codex/index.ts', node: 20 },
  {
    name: 'langgraph',
    source: 'src/integrations/langgraph/index.ts',
    node: 20,
    peers: { '@langchain/langgraph': '>=1.0.0' },
  },
  {
    name: 'a2a',
    source: 'src/integrations/a2a/index.ts',
    node: 20,
    peers: { '@a2a-js/sdk': '>=1.0.0' },
  },
  { name: 'mcp', source: 'src/integrations/mcp/index.ts', node: 20 },
];

/** The program of the package. It is no entry: no module imports it. */
export const PROGRAM = { name: 'holdpoint', file: 'cli', source: 'src/cli/main.ts' } as const;

/** The specifiers for `import … from`. */
export function specifiersOf({ name, isMain }: Entry): string[] {
  return [...(isMain === true ? ['holdpoint'] : []), `holdpoint/${name}`];
}

export function entries(): readonly Entry[] {
  return ENTRIES;
}

/** The part of the repository's package.json that the published one repeats. */
export interface Root {
  readonly version: string;
  readonly description: string;
  readonly keywords: readonly string[];
  readonly license: string;
  readonly repository: { readonly type: string; readonly url: string };
  readonly dependencies: Readonly<Record<string, string>>;
}

export function readRoot(): Root {
  return JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as Root;
}

/** The page of the repository: `repository` of package.json is the only place that names it. */
export function repositoryPage({ repository }: Pick<Root, 'repository'>): string {
  return repository.url.replace(/^git\+/, '').replace(/\.git$/, '');
}

export function manifest(
  entries: readonly Entry[],
  packages: readonly string[],
  root = readRoot(),
): object {
  const { version, description, keywords, license, repository } = root;
  const page = repositoryPage(root);
  const peers = Object.assign({}, ...entries.map((entry) => entry.peers)) as Record<string, string>;
  return {
    name: 'holdpoint',
    version,
    description,
    keywords,
    homepage: `${page}#readme`,
    bugs: { url: `${page}/issues` },
    repository,
    license,
    type: 'module',
    sideEffects: false,
    engines: { node: '>=20.19' },
    files: ['**/*.js', '**/*.d.ts'],
    // Resolvers without `exports` read these: TypeScript with `moduleResolution: node10`.
    main: './client.js',
    types: './client.d.ts',
    bin: { [PROGRAM.name]: `${PROGRAM.file}.js` },
    exports: {
      ...Object.fromEntries(
        entries.flatMap((entry) =>
          specifiersOf(entry).map((name) => [name.replace(/^holdpoint/, '.'), addressOf(entry)]),
        ),
      ),
      './package.json': './package.json',
    },
    dependencies: Object.fromEntries(packages.map((name) => [name, rangeOf(name, root)])),
    peerDependencies: peers,
    peerDependenciesMeta: Object.fromEntries(
      Object.keys(peers).map((name) => [name, { optional: true }]),
    ),
    publishConfig: { access: 'public', provenance: true },
  };
}

function addressOf({ name }: Entry) {
  return { types: `./${name}.d.ts`, default: `./${name}.js` };
}

/** The repository pins the version that it tests; pinned in a library, each project would install it a second time. */
function rangeOf(name: string, { dependencies }: Root): string {
  const version = dependencies[name];
  if (version === undefined) throw new Error(`The package needs ${name}: make it a dependency`);
  return `^${version}`;
}
