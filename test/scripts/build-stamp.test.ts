/** A bundle is built once. A bug here serves the code of yesterday, or builds at every start. */
import { cpSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { hashSources, isFresh, SOURCES, writeStamp } from '../../scripts/lib/build-stamp.ts';

let root: string;
let dist: string;
const write = (name: string, text: string) => {
  const file = path.join(root, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
};

beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'holdpoint-stamp-'));
  dist = path.join(root, 'dist');
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const source of SOURCES)
    write(source.includes('.') ? source : `${source}/deep/one.ts`, source);
  write('dist/worker.js', 'export default {}');
  writeStamp(dist, hashSources(root));
});

it('[OPS-7] is fresh after a build, and stays so when files only get another time or another place', () => {
  expect(isFresh(root, dist)).toBe(true);
  utimesSync(path.join(root, 'src/deep/one.ts'), new Date(), new Date());
  expect(isFresh(root, dist)).toBe(true);
  const copy = mkdtempSync(path.join(tmpdir(), 'holdpoint-stamp-'));
  onTestFinished(() => rmSync(copy, { recursive: true, force: true }));
  cpSync(root, copy, { recursive: true });
  expect(isFresh(copy, path.join(copy, 'dist'))).toBe(true);
});

it.each(SOURCES)('[OPS-7] is old when %s changes', (source) => {
  write(source.includes('.') ? source : `${source}/deep/one.ts`, 'changed');
  expect(isFresh(root, dist)).toBe(false);
});

it('[OPS-7] is old after a file is added, removed, or renamed', () => {
  write('src/two.ts', 'two');
  expect(isFresh(root, dist)).toBe(false);
  rmSync(path.join(root, 'src/two.ts'));
  expect(isFresh(root, dist)).toBe(true);
  rmSync(path.join(root, 'src/deep/one.ts'));
  expect(isFresh(root, dist)).toBe(false);
  write('src/deep/won.ts', 'src');
  expect(isFresh(root, dist)).toBe(false);
});

it('[OPS-7] is old when a source changed during the build', () => {
  const before = hashSources(root);
  write('src/deep/one.ts', 'changed while it was built');
  writeStamp(dist, before);
  expect(isFresh(root, dist)).toBe(false);
});

it('[OPS-7] is not there without a stamp, with a broken one, or without a file of the build', () => {
  write('dist/worker.js.map', 'left out of an image');
  expect(isFresh(root, dist)).toBe(true);
  write('dist/worker.js', 'cut off');
  expect(isFresh(root, dist)).toBe(false);
  for (const stamp of ['{', '{}', 'null']) {
    write('dist/build.json', stamp);
    expect(isFresh(root, dist), stamp).toBe(false);
  }
  rmSync(dist, { recursive: true });
  expect(isFresh(root, dist)).toBe(false);
});
