/** What is published is judged by these; a bug would let something through that a caller stumbles over. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { anyTypes } from '../../scripts/lib/package/any-types.ts';
import { packageOf } from '../../scripts/lib/package/build.ts';
import { entries, manifest, specifiersOf } from '../../scripts/lib/package/manifest.ts';

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
  const { exports } = manifest(entries(), []) as { exports: Record<string, unknown> };
  expect(exports['.']).toEqual(exports['./client']);
  expect(exports['.']).toEqual({ types: './client.d.ts', default: './client.js' });
  expect(entries().flatMap(specifiersOf)).toContain('holdpoint');
});

it('tells whoever installs it of nothing that is not in the package', () => {
  const text = readFileSync('scripts/lib/package/package-readme.md', 'utf8');
  const targets = [...text.matchAll(/\]\(([^)]*)\)|(?:src|href)="([^"]*)"/g)];
  expect(
    targets.filter(([, link, attribute]) => !(link ?? attribute ?? '').startsWith('https:')),
  ).toEqual([]);
  const imported = [...text.matchAll(/`(holdpoint[a-z/-]*)`/g)].map(([, name]) => name);
  expect(imported).toEqual(entries().flatMap(specifiersOf).toSorted(byAppearance(text)));
});

function byAppearance(text: string) {
  return (a: string, b: string) => text.indexOf(`\`${a}\``) - text.indexOf(`\`${b}\``);
}
