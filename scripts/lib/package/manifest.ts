/** Writes the package.json of the published package; the repository's own stays private. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../paths.ts';
import { type Entry, specifiersOf } from './entries.ts';

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
