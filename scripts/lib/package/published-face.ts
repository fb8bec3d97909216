/**
 * What a registry and an installing project read of the packed package, before any code of it runs: its manifest and its
 * README. Reads no disk.
 */
import { isDeepStrictEqual } from 'node:util';
import { type Root, repositoryPage } from './manifest.ts';
import { relativeLinks } from './packed-readme.ts';

/** The contents of the archive. */
export interface Packed {
  readonly manifest: Readonly<Record<string, unknown>>;
  readonly readme: string;
  readonly files: readonly string[];
}

const EXACT = /^\d+\.\d+\.\d+$/;
const AT_LEAST = /^>=\d+\.\d+\.\d+$/;

export function faceProblems({ manifest, readme, files }: Packed, root: Root): string[] {
  const page = repositoryPage(root);
  const wanted: Readonly<Record<string, unknown>> = {
    version: root.version,
    keywords: root.keywords,
    repository: root.repository,
    homepage: `${page}#readme`,
    bugs: { url: `${page}/issues` },
    publishConfig: { access: 'public', provenance: true },
  };
  return [
    ...Object.entries(wanted)
      .filter(([name, value]) => !isDeepStrictEqual(manifest[name], value))
      .map(([name, value]) => `"${name}" is not ${JSON.stringify(value)}`),
    ...(manifest['private'] === undefined ? [] : ['"private" keeps it from being published']),
    ...dependencyProblems(manifest, root),
    ...peerProblems(manifest),
    ...fileProblems(manifest, files),
    ...relativeLinks(readme).map((link) => `README.md links to ${link}, which no registry has`),
  ];
}

function dependencyProblems(manifest: Packed['manifest'], root: Root): string[] {
  const pins = Object.entries(root.dependencies).filter(([, version]) => !EXACT.test(version));
  return [
    ...pins.map(([name, version]) => `The repository has ${name} ${version}, which is no pin`),
    ...entriesOf(manifest['dependencies'])
      .filter(([name, range]) => range !== `^${root.dependencies[name]}`)
      .map(([name, range]) => `${name} is ${String(range)}, not a range of the tested version`),
  ];
}

/** A peer that is not optional, or has an upper bound, makes npm refuse projects that never use it. */
function peerProblems(manifest: Packed['manifest']): string[] {
  const meta = Object.fromEntries(entriesOf(manifest['peerDependenciesMeta']));
  const peers = entriesOf(manifest['peerDependencies']);
  if (peers.length === 0) return ['There are no peers'];
  return peers.flatMap(([name, range]) => [
    ...(isDeepStrictEqual(meta[name], { optional: true }) ? [] : [`${name} is not optional`]),
    ...(AT_LEAST.test(String(range)) ? [] : [`${name} is ${String(range)}, which is not open`]),
  ]);
}

/** Every file that the manifest names is in the archive, and the name alone leads to the client. */
function fileProblems(manifest: Packed['manifest'], files: readonly string[]): string[] {
  const exported = entriesOf(manifest['exports']);
  const named = [
    ...exported.flatMap(([, to]) => (typeof to === 'string' ? [to] : entriesOf(to).map(last))),
    ...entriesOf(manifest['bin']).map(last),
  ];
  const missing = named
    .map((file) => String(file).replace(/^\.\//, ''))
    .filter((file) => !files.includes(file));
  const addresses = Object.fromEntries(exported);
  return [
    ...missing.map((file) => `${file} is named and missing`),
    ...(entriesOf(manifest['bin']).some(([name]) => name === 'holdpoint')
      ? []
      : ['There is no program "holdpoint"']),
    ...(addresses['.'] !== undefined && isDeepStrictEqual(addresses['.'], addresses['./client'])
      ? []
      : ["import 'holdpoint' is not the client"]),
  ];
}

function entriesOf(value: unknown): [string, unknown][] {
  return typeof value === 'object' && value !== null ? Object.entries(value) : [];
}

function last([, value]: [string, unknown]): unknown {
  return value;
}
