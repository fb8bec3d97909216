/**
 * `npm run release -- 0.2.0`: writes the version and the changelog, commits them and makes a tag. A person pushes and
 * publishes. Refuses a tree with changes: the tag would name a state that was not tested.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fail } from './lib/fail.ts';
import { ROOT } from './lib/paths.ts';
import { cutRelease, isVersion } from './lib/release-notes.ts';

const version = process.argv[2] ?? '';
if (!isVersion(version)) fail('Name the version: npm run release -- 0.2.0');
if (git('status', '--porcelain') !== '') fail('Commit or stash your changes first.');
if (git('tag', '--list', `v${version}`) !== '') fail(`The tag v${version} exists already.`);

const changelogFile = path.join(ROOT, 'CHANGELOG.md');
try {
  const day = new Date().toISOString().slice(0, 10);
  const { changelog, notes } = cutRelease(readFileSync(changelogFile, 'utf8'), version, day);
  writeFileSync(changelogFile, changelog);
  for (const name of ['package.json', 'package-lock.json']) writeVersion(name);
  git('add', 'CHANGELOG.md', 'package.json', 'package-lock.json');
  git('commit', '--quiet', '--message', `release: Version ${version}`);
  git('tag', '--annotate', `v${version}`, '--message', notes);
} catch (cause) {
  fail(cause);
}
console.log(`Version ${version} is committed and tagged as v${version}. Next:

  git push --follow-tags

The tag starts .github/workflows/publish.yml. By hand, without a provenance:

  npm run check -- package && npm publish ./dist-package --no-provenance`);

/** The first version in either file belongs to this package. */
function writeVersion(name: string): void {
  const file = path.join(ROOT, name);
  const { version: old } = JSON.parse(readFileSync(file, 'utf8')) as { version: string };
  const written = readFileSync(file, 'utf8').replaceAll(
    new RegExp(`("name": "holdpoint",\\s+"version": )"${old.replaceAll('.', '\\.')}"`, 'g'),
    `$1"${version}"`,
  );
  writeFileSync(file, written);
}

function git(...args: string[]): string {
  return execFileSync('git', ['-C', ROOT, ...args], { encoding: 'utf8' }).trim();
}
