/** A bug here looks like a path outside of a folder under a rule that allows the folder. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { coversPath, findPath, globProblem } from '../../../src/core/rules/path-glob.ts';
import { LIMITS } from '../../../src/protocol/limits.ts';
import { lowestCpuMs } from '../../support/cpu-time.ts';

describe('a pattern', () => {
  it.each(['src/**', '**/*.ts', '/home/ann/app/**', 'docs/?.md', '.github/**', 'README.md'])(
    '[TEAM-2] %j is good',
    (glob) => expect(globProblem(glob)).toBeUndefined(),
  );

  it.each([
    '../x',
    'a/../b',
    './a',
    'a//b',
    'a/',
    '/',
    '~/x',
    'a\\b',
    'C:/x',
    'src/**.ts',
    'a{b,c}',
    '[ab]',
    '!a',
    'a\u0000',
    'a.',
    'a ',
    'e\u0301',
  ])('[TEAM-2] %j is refused', (glob) => expect(globProblem(glob)).toBeDefined());
});

const FOLDER = '/home/ann/app';

describe('allowing', () => {
  it.each<[string, unknown, boolean]>([
    ['src/**', 'src/a.ts', true],
    ['src/**', 'src/a/b/c.ts', true],
    ['src/**', `${FOLDER}/src/a.ts`, false],
    ['/home/ann/**', `${FOLDER}/src/a.ts`, true],
    ['src/**', 'src', false],
    ['src/**', 'srcs/a', false],
    ['src/**', 'Src/a', false],
    ['src/**', '/src/a', false],
    ['src/**', '/home/ann/src/a', false],
    ['src/**', 'src/../../etc/passwd', false],
    ['src/**', 'src/./a', false],
    ['src/**', 'src//a', false],
    ['src/**', 'src\\..\\a', false],
    ['src/**', 'src/a:b', false],
    ['src/**', 'src/a.', false],
    ['src/**', 'src/a ', false],
    ['src/**', 'src/..', false],
    ['src/**', 'src/a\u202e', false],
    ['src/**', 'src/e\u0301', false],
    ['src/**', `src/${'x'.repeat(LIMITS.rulePathChars)}`, false],
    ['src/**', ['src/a'], false],
    ['src/**', null, false],
    ['**', '.git/hooks/pre-commit', false],
    ['src/**', 'src/.env', false],
    ['src/**', 'src/a/.b/c', false],
    ['src/*', 'src/.env', false],
    ['src/.*', 'src/.env', true],
    ['.github/**', '.github/x.yml', true],
    ['src/*.ts', 'src/a.ts', true],
    ['src/*.ts', 'src/a/b.ts', false],
    ['**/*.ts', 'a.ts', true],
    ['**/*.ts', 'a/b/c.ts', true],
    ['a/**/z', 'a/z', true],
    ['a/**/z', 'a/b/c/z', true],
    ['a/**/b/**', 'a/b/c/b/d', true],
    ['a?c', 'abc', true],
    ['a?c', 'a/c', false],
    ['/home/ann/**', 'src/a.ts', false],
    ['src/**', '/home/ann/app/src/a.ts', false],
    ['/**', '/proc/self/cwd/x', false],
    ['/**', '/dev/fd/1', false],
  ])('[TEAM-2] %j covers %j: %s', (glob, path, expected) => {
    expect(coversPath(glob, path as string)).toBe(expected);
  });
});

describe('denying', () => {
  it.each<[string, unknown, string]>([
    ['secrets/**', 'secrets/key', 'yes'],
    ['secrets/**', 'SECRETS/key', 'yes'],
    ['secrets/**', 'src/../secrets/key', 'yes'],
    ['secrets/**', './secrets//key', 'yes'],
    ['secrets/**', 'secrets\\key', 'yes'],
    ['secrets/**', `${FOLDER}/secrets/key`, 'yes'],
    ['secrets/**', 'secrets/.hidden', 'yes'],
    ['secrets/**', 'ｓecrets/key', 'yes'],
    ['**/.env', 'a/.env ', 'yes'],
    ['**/.env', 'a/.env.', 'yes'],
    ['secrets/**', 'src/a', 'no'],
    ['secrets/**', '../app/secrets/key', 'unclear'],
    ['secrets/**', '~/x', 'unclear'],
    ['secrets/**', 7, 'unclear'],
  ])('[TEAM-2] %j is about %j: %s', (glob, path, expected) => {
    expect(findPath(glob, path as string, FOLDER)).toBe(expected);
  });

  it('[TEAM-2] is unclear where the folder is not known and might matter', () => {
    expect(findPath('secrets/**', '/x/secrets/key')).toBe('unclear');
    expect(findPath('secrets/**', '/x/src/key')).toBe('no');
    expect(findPath('/etc/passwd', 'passwd')).toBe('unclear');
    expect(findPath('/etc/passwd', 'other')).toBe('no');
  });
});

const name = fc.oneof(
  fc.constantFrom(
    '..',
    '.',
    '',
    'a',
    'b',
    '.x',
    'src',
    '*',
    '**',
    '?',
    '~',
    ' ',
    'a.',
    'a\\b',
    ':',
    '\u0000',
    '\u202e',
  ),
  fc.string({ maxLength: 4, unit: 'grapheme' }),
);
const path = fc.array(name, { minLength: 1, maxLength: 6 }).map((names) => names.join('/'));

it('[TEAM-2] allows nothing outside of the folder, however the path is written', () => {
  fc.assert(
    fc.property(path, (text) => {
      if (!coversPath('src/**', text)) return;
      const names = text.split('/');
      expect(names[0]).toBe('src');
      expect(names.every((part) => part !== '' && !part.startsWith('.'))).toBe(true);
      expect(text).not.toMatch(/[\\:\p{C}]/u);
    }),
    { numRuns: 5_000 },
  );
});

it('[TEAM-2] what a pattern allows, the same pattern denies', () => {
  fc.assert(
    fc.property(
      path,
      fc.constantFrom('**', 'src/**', '**/*', '*', 'a/*', '**/a/**'),
      (text, glob) => {
        if (coversPath(glob, text)) expect(findPath(glob, text)).toBe('yes');
      },
    ),
    { numRuns: 5_000 },
  );
});

it('[TEAM-2] takes few steps on patterns and paths made to take many', () => {
  const glob = `${'**/a*a*/'.repeat(20)}b`;
  const long = 'aaaa/'.repeat(200) + 'c';
  const wide = '*a'.repeat(100);
  const work = () => {
    for (let count = 0; count < LIMITS.rules; count += 1) {
      findPath(glob, long);
      coversPath(wide, 'a'.repeat(LIMITS.rulePathChars - 1) + 'b');
    }
  };
  expect(lowestCpuMs(2, work)).toBeLessThan(1_000);
});
