/** The warning of an old benchmark. A bug here stays silent while the published figures are of another program. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { ageWarning, commitsSince, MAX_AGE_COMMITS } from '../../scripts/lib/published-bench.ts';

const root = mkdtempSync(path.join(tmpdir(), 'holdpoint-history-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

function git(...args: string[]): string {
  const author = ['-c', 'user.name=test', '-c', 'user.email=test@example.com'];
  return execFileSync('git', [...author, ...args], { cwd: root, encoding: 'utf8' }).trim();
}

function commit(file: string): string {
  mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
  writeFileSync(path.join(root, file), String(Math.random()));
  git('add', '.');
  git('commit', '--quiet', '--message', file);
  return git('rev-parse', '--short', 'HEAD');
}

describe('the age of the published run', () => {
  git('init', '--quiet');
  const measured = commit('src/a.ts');

  it('counts the commits that changed src/', () => {
    expect(commitsSince(root, measured)).toBe(0);
    commit('docs/a.md');
    commit('src/b.ts');
    expect(commitsSince(root, measured)).toBe(1);
    expect(commitsSince(root, `${measured} with changes`)).toBe(1);
  });

  it('is unknown for a commit that the history does not have', () => {
    expect(commitsSince(root, '0123456')).toBeUndefined();
    expect(ageWarning('0123456', undefined)).toContain('does not have 0123456');
  });

  it('is a warning from one commit above the limit on', () => {
    expect(ageWarning('abc', MAX_AGE_COMMITS)).toBeUndefined();
    expect(ageWarning('abc', MAX_AGE_COMMITS + 1)).toContain('21 commits have changed src/');
  });
});
