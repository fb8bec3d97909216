/** What is published is judged by these; a bug would let something through that a caller stumbles over. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { anyTypes } from '../../scripts/lib/package/any-types.ts';
import { packageOf } from '../../scripts/lib/package/build.ts';
import { entries, manifest, readRoot, specifiersOf } from '../../scripts/lib/package/manifest.ts';
import {
  packedReadme,
  relativeLinks,
  withAddresses,
} from '../../scripts/lib/package/packed-readme.ts';
import { faceProblems, type Packed } from '../../scripts/lib/package/published-face.ts';
import { ROOT } from '../../scripts/lib/paths.ts';

it('finds any in declarations, and not in what is said about them', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'holdpoint-types-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(path.join(folder, 'deep'));
  writeFileSync(path.join(folder, 'good.d.ts'), "/** any */ export type Any = 'any' | unknown;\n");
  writeFileSync(
    path.join(folder, 'deep/bad.d.ts'),
    '\nexport declare const x: Map<string, any>;\n',
  );
  expect(anyTypes(folder)).toEqual(['deep/bad.d.ts:2  any']);
});

it('knows which package a module is in', () => {
  expect(packageOf('zod')).toBe('zod');
  expect(packageOf('zod/v4/core')).toBe('zod');
  expect(packageOf('@noble/hashes/sha2.js')).toBe('@noble/hashes');
});

it('exports the client under the name of the package alone as well', () => {
  const { exports, ...more } = manifest(entries(), []) as { exports: Record<string, unknown> };
  // For resolvers that read no exports.
  expect(more).toMatchObject({ main: './client.js', types: './client.d.ts' });
  expect(exports['.']).toEqual(exports['./client']);
  expect(exports['.']).toEqual({ types: './client.d.ts', default: './client.js' });
  expect(entries().flatMap(specifiersOf)).toContain('holdpoint');
});

it('names each entry, and links to no file that a registry lacks', () => {
  const text = packedReadme();
  expect(relativeLinks(text)).toEqual([]);
  const imported = [...text.matchAll(/`(holdpoint[a-z0-9/-]*)`/g)].map(([, name]) => name);
  expect(imported).toEqual(entries().flatMap(specifiersOf).toSorted(byAppearance(text)));
});

it('turns links to files of the repository into addresses of its tag', () => {
  const folder = path.join(ROOT, 'scripts');
  const text = '[a](../docs/agents.md#over-plain-http) [b](https://example.com/) [c](build.ts)';
  expect(withAddresses(text, folder, 'https://example.com/v1')).toBe(
    '[a](https://example.com/v1/docs/agents.md#over-plain-http) [b](https://example.com/) [c](https://example.com/v1/scripts/build.ts)',
  );
  expect(() => withAddresses('[a](gone.md)', folder, '')).toThrow('gone.md');
  expect(relativeLinks('[a](docs/b.md) <img src="c.png"> [d](https://e)')).toEqual([
    'docs/b.md',
    'c.png',
  ]);
});

describe('the face of the package', () => {
  const root = readRoot();
  const packed = (): Packed => {
    const made = manifest(entries(), ['zod'], root) as Packed['manifest'];
    const files = entries().flatMap(({ name }) => [`${name}.js`, `${name}.d.ts`]);
    return { manifest: made, readme: '', files: [...files, 'cli.js', 'package.json'] };
  };
  const withChange = (changes: object): string[] =>
    faceProblems({ ...packed(), manifest: { ...packed().manifest, ...changes } }, root);

  it('is complete', () => expect(faceProblems(packed(), root)).toEqual([]));

  it.each<[object, string]>([
    [{ repository: undefined }, '"repository" is not'],
    [{ bugs: undefined }, '"bugs" is not'],
    [{ keywords: [] }, '"keywords" is not'],
    [{ publishConfig: { access: 'public' } }, '"publishConfig" is not'],
    [{ private: true }, 'keeps it from being published'],
    [{ dependencies: { zod: root.dependencies['zod'] } }, 'not a range of the tested version'],
    [{ dependencies: { 'no-dependency': '^1.0.0' } }, 'not a range of the tested version'],
    [{ peerDependencies: {} }, 'There are no peers'],
    [{ peerDependenciesMeta: {} }, 'is not optional'],
    [{ peerDependencies: { '@anthropic-ai/claude-agent-sdk': '^0.3.0' } }, 'which is not open'],
    [{ bin: {} }, 'no program'],
    [{ bin: { holdpoint: 'gone.js' } }, 'gone.js is named and missing'],
    [{ exports: { './client': './client.js' } }, "import 'holdpoint' is not the client"],
  ])('does not pass with %o', (changes, problem) => {
    expect(withChange(changes).join()).toContain(problem);
  });

  it('does not pass with a dependency that the repository does not pin', () => {
    const loose = { ...root, dependencies: { ...root.dependencies, zod: '^4.0.0' } };
    expect(faceProblems(packed(), loose).join()).toContain('which is no pin');
  });

  it('does not pass with a link to a file beside the README', () => {
    expect(faceProblems({ ...packed(), readme: '[a](docs/a.md)' }, root)).toHaveLength(1);
  });
});

function byAppearance(text: string) {
  return (a: string, b: string) => text.indexOf(`\`${a}\``) - text.indexOf(`\`${b}\``);
}
