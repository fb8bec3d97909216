/** The words for people who look. A bug would look like a name for somebody who only calls themselves so. */
import { afterEach, describe, expect, it } from 'vitest';
import { ENGLISH, setLanguage } from '../../../src/web/model/language.ts';
import { personName, setNames } from '../../../src/web/model/names.ts';
import { initialsOf, onlookerWords, othersWhoLook } from '../../../src/web/model/onlookers.ts';
import { GERMAN } from '../../../src/web/languages/de.ts';

afterEach(() => {
  setNames({});
  setLanguage(ENGLISH);
});

const me = { subject: 'me@example.com' };
const one = (subject: string, more: object = {}) => ({ subject, verified: true, ...more });
const wordsOf = (people: ReturnType<typeof one>[], more = 0, interactionId?: string) =>
  onlookerWords(othersWhoLook({ people, more }, me, interactionId));

describe('who looks, in words', () => {
  it('[PRES-5] names the others, with the names of the directory', () => {
    setNames({ 'ann@example.com': 'Ann Lee' });
    expect(wordsOf([one(me.subject)])).toBeUndefined();
    expect(wordsOf([one(me.subject), one('ann@example.com')])).toBe('Ann Lee is looking');
    expect(wordsOf([one('ann@example.com'), one('ben')])).toBe('Ann Lee and ben are looking');
    expect(wordsOf(['a', 'b', 'c', 'd', 'e'].map((name) => one(name)))).toBe(
      'a, b, c, and 2 more are looking',
    );
  });

  it('[PRES-5] counts a crowd without this person', () => {
    const people = Array.from({ length: 12 }, (_, at) => one(`p-${at}`));
    expect(wordsOf(people, 38)).toBe('p-0, p-1, p-2, and 46 more are looking');
    expect(wordsOf([one(me.subject), ...people.slice(1)], 38)).toBe(
      'p-1, p-2, p-3, and 46 more are looking',
    );
  });

  it('[PRES-5] of one request names who looks at that one', () => {
    const people = [one('ann', { interactionId: 'a~1' }), one('ben', { interactionId: 'b~1' })];
    expect(wordsOf(people, 0, 'a~1')).toBe('ann is looking');
    expect(wordsOf(people, 40, 'b~1')).toBe('ben is looking');
    expect(wordsOf(people, 0, 'c~1')).toBeUndefined();
  });

  it('[PRES-1] gives no name to a subject that nobody vouches for', () => {
    setNames({ ann: 'Ann Lee' });
    expect(wordsOf([one('ann', { verified: false })])).toBe('ann is looking');
    expect(personName({ subject: 'ann', credential: 'tok_1', key: 'key_1' })).toBe('ann');
    expect(personName({ subject: 'ann', credential: 'tok_1', root: 'per_1' })).toBe('Ann Lee');
    expect(personName({ subject: '__proto__' })).toBe('__proto__');
    expect(wordsOf([one('an\u202en')])).toBe(String.raw`an\u202En is looking`);
  });

  it('[PRES-5] is German where the screen is', () => {
    setLanguage({ locale: 'de', direction: 'ltr', ...GERMAN });
    expect(wordsOf([one('ann')])).toBe('ann sieht gerade hin');
    expect(wordsOf([one('ann'), one('ben')])).toBe('ann und ben sehen gerade hin');
  });

  it('[PRES-5] shortens names to initials', () => {
    const names = [
      'Ann Lee',
      'ben.kaya@example.com',
      'cem',
      'Мария Иванова',
      '李小龍',
      '@',
      'a b c',
    ];
    expect(names.map(initialsOf)).toEqual(['AL', 'BK', 'C', 'МИ', '李', '@', 'AC']);
  });
});
