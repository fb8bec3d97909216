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
  /** The oldest Node that can import the entry; `engines` of the package says 20. */
  readonly node: number;
}

const ENTRIES: readonly Entry[] = [
  { name: 'client', source: 'src/client/index.ts', isMain: true, node: 20 },
  // The HTTP application grows an ArrayBuffer in place.
  { name: 'in-process', source: 'src/in-process/index.ts', node: 22 },
  { name: 'in-process/anthropic', source: 'src/in-process/anthropic.ts', node: 22 },
  // It needs node:sqlite.
  { name: 'in-process/sqlite', source: 'src/in-process/sqlite.ts', node: 24 },
  { name: 'claude', source: 'src/integrations/claude/index.ts', node: 20 },
  { name: 'ai-sdk', source: 'src/integrations/ai-sdk/index.ts', node: 20 },
  { name: 'openai-agents', source: 'src/integrations/openai-agents/index.ts', node: 20 },
  { name: 'langgraph', source: 'src/integrations/langgraph/index.ts', node: 20 },
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

interface Root {
  readonly version: string;
  readonly description: string;
  readonly license: string;
  readonly dependencies: Readonly<Record<string, string>>;
}

/** Uses the versions with which the repository is tested. */
export function manifest(entries: readonly Entry[], packages: readonly string[]): object {
  const root = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as Root;
  const { version, description, license } = root;
  return {
    name: 'holdpoint',
    version,
    description,
    license,
    type: 'module',
    sideEffects: false,
    engines: { node: '>=20.19' },
    files: ['**/*.js', '**/*.d.ts'],
    bin: { [PROGRAM.name]: `./${PROGRAM.file}.js` },
    exports: {
      ...Object.fromEntries(
        entries.flatMap((entry) =>
          specifiersOf(entry).map((name) => [name.replace(/^holdpoint/, '.'), addressOf(entry)]),
        ),
      ),
      './package.json': './package.json',
    },
    dependencies: Object.fromEntries(packages.map((name) => [name, versionOf(name, root)])),
  };
}

function addressOf({ name }: Entry) {
  return { types: `./${name}.d.ts`, default: `./${name}.js` };
}

function versionOf(name: string, { dependencies }: Root): string {
  const version = dependencies[name];
  if (version === undefined) throw new Error(`The package needs ${name}: make it a dependency`);
  return version;
}
