/**
 * Names that stand beside decisions.
 *
 * A bug here looks like an approval by "admin" that no administrator gave, by "mia" who is another mia, or by a name
 * that turns the rest of the line around.
 */
import { expect, it } from 'vitest';
import { CreateKey, CreatePersonToken, CreateToken } from '../../src/protocol/schema/workspace.ts';
import { Name, nameProblem } from '../../src/protocol/schema/name.ts';
import { isSameName } from '../../src/protocol/same-name.ts';

const hex = (name: string) =>
  Array.from(name, (char) => `U+${(char.codePointAt(0) ?? 0).toString(16)}`).join(' ');

it.each([
  'mia',
  'root',
  'me',
  'agent',
  'ci-bot',
  'A key',
  'Ada Ünïcode',
  'O’Brien, Zoë (QA) #2',
  'Ада Лавлейс',
  'Ada Лавлейс',
  'Νίκος',
  '山田太郎',
  'やまだ タロウ',
  '김철수',
  'محمد',
  'नरेंद्र',
  'β-service',
  'administrator',
  'system administrator',
  'ruler',
  'ada@example.com',
  '🚀',
  'a'.repeat(200),
])('[AUTH-1] takes %s', (name) => {
  expect(nameProblem(name)).toBeUndefined();
  expect(Name.safeParse(name).success).toBe(true);
});

const UNSEEN = [
  '\n',
  '\r',
  '\t',
  '\0',
  '\u001b[31m',
  '\u007f',
  '\u0085',
  '\u2028',
  '\u2029',
  // Direction, width, joining and other formats.
  '\u202e',
  '\u202d',
  '\u2066',
  '\u2069',
  '\u200e',
  '\u061c',
  '\u200b',
  '\u200c',
  '\u200d',
  '\ufeff',
  '\u00ad',
  '\u2060',
  '\u180e',
  '\u034f',
  '\ufe0f',
  '\u{e0041}',
  '\u{e0100}',
  // Letters that are drawn as nothing, and a pattern without a dot.
  '\u115f',
  '\u3164',
  '\uffa0',
  '\u2800',
  // Half a pair, private, never a character.
  '\ud800',
  '\udc00',
  '\ue000',
  '\u{f0000}',
  '\uffff',
];
it.each(UNSEEN.map((char) => [hex(char), char]))(
  '[AUTH-1] refuses %s wherever it stands',
  (_name, char) => {
    for (const name of [`mi${char}a`, `${char}mia`, `mia${char}`, char]) {
      expect(nameProblem(name), hex(name)).toMatch(/characters that are drawn|kept for/);
    }
  },
);

it.each([
  ' mia',
  'mia ',
  ' ',
  'mia  b',
  '\u00a0mia',
  'mia\u3000',
  'mi\u00a0a',
  'a\u2003b',
  '\u00a8mia',
])('[AUTH-1] refuses the blanks of %j', (name) => {
  expect(nameProblem(name)).toMatch(/spaces/);
});

it.each([
  'admin',
  'Admin',
  'ADMIN',
  'system',
  'timeout',
  'rule',
  'Rule',
  'mode',
  'you',
  'You',
  'ａｄｍｉｎ',
  'ⓐdmin',
  '𝐚𝐝𝐦𝐢𝐧',
  'ſystem',
  'ᵃᵈᵐⁱⁿ',
  'built-in agent',
  'rule 01M7Q957',
  'mode bypassPermissions',
])('[AUTH-1] keeps %s for the service itself', (name) => {
  expect(nameProblem(name)).toMatch(/kept for the service/);
});

it.each([
  ['аdmin', 'a Cyrillic a'],
  ['mіa', 'a Cyrillic i'],
  ['adа', 'a Cyrillic a at the end'],
  ['Αda', 'a Greek alpha'],
  ['adminո', 'an Armenian letter'],
  ['Ꭺda', 'a Cherokee letter'],
  ['µService', 'a micro sign, which is a Greek letter'],
])('[AUTH-1] refuses a word of two scripts: %s (%s)', (name) => {
  expect(nameProblem(name)).toMatch(/one script/);
});

it('[AUTH-1] refuses marks that pile up over other lines', () => {
  expect(nameProblem('z\u0300\u0316\u0323\u0335e')).toBeUndefined();
  expect(nameProblem(`z${'\u0316'.repeat(20)}e`)).toMatch(/marks/);
});

it('[AUTH-1] holds for the names of tokens and keys', () => {
  for (const bad of ['', 'admin', 'mi\u202ea', 'a'.repeat(201)]) {
    expect(CreateToken.safeParse({ scopes: ['read'], subject: bad }).success).toBe(false);
    expect(CreatePersonToken.safeParse({ scopes: ['read'], subject: bad }).success).toBe(false);
    expect(CreateKey.safeParse({ scopes: ['read'], name: bad }).success).toBe(false);
  }
  expect(CreateKey.safeParse({ scopes: ['read'], name: 'ci-bot' }).success).toBe(true);
});

it.each(['slack:T1/U1', 'tgt_x', 'key_x', 'tok_x', 'per_x', 'KEY_1', 'Slack:T1', 'ｔgt_x'])(
  '[AUTH-1] refuses %s, which records show in the place of a name',
  (name) => {
    expect(nameProblem(name)).toMatch(/kept for the service/);
  },
);

it.each([
  ['MIA', true],
  ['ｍia', true],
  ['𝗆ia', true],
  ['mıa', true],
  ['mia ', false],
  ['miä', false],
  ['ana', false],
])('[AUTH-10] whether %s is mia: %s', (name, isSame) => {
  expect(isSameName('mia', name)).toBe(isSame);
});
