/** What is published is judged by these; a bug would let something through that a caller stumbles over. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { anyTypes } from '../../scripts/lib/package/any-types.ts';
import { packageOf } from '../../scripts/lib/package/modules.ts';

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
