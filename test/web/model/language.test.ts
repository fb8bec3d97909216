/** Texts, counts and numbers in the language of the screen. */
import { afterEach, describe, expect, it } from 'vitest';
import { bannerOf } from '../../../src/web/model/banner.ts';
import { GERMAN } from '../../../src/web/languages/de.ts';
import {
  type Catalogue,
  ENGLISH,
  formatNumber,
  setLanguage,
  t,
  tn,
  tx,
} from '../../../src/web/model/language.ts';

afterEach(() => setLanguage(ENGLISH));

const speak = (locale: string, catalogue: Catalogue) =>
  setLanguage({ locale, direction: 'ltr', catalogue });

describe('[UI-17] English', () => {
  it('is what the source says, with values in their places', () => {
    expect(t('By {name}', { name: '{name} $& <b>' })).toBe('By {name} $& <b>');
    expect(t('{a} of {b}', { a: 1, b: 12_345.5 })).toBe('1 of 12,345.5');
    expect(t('A {place} without a value', {})).toBe('A {place} without a value');
    expect(t('Even {this}')).toBe('Even {this}');
  });

  it('counts', () => {
    const requests = (count: number) => tn(count, '{count} request', '{count} requests');
    expect([0, 1, 2, 1_000].map(requests)).toEqual([
      '0 requests',
      '1 request',
      '2 requests',
      '1,000 requests',
    ]);
  });

  it('puts elements into places', () => {
    const element = { an: 'element' };
    expect(tx('By {name}, {when}', { name: element, when: 'today' })).toEqual([
      'By ',
      element,
      ', ',
      'today',
      '',
    ]);
  });

  it('takes no name of an object method for a translation', () => {
    expect(t('constructor')).toBe('constructor');
  });
});

describe('[UI-17] another language', () => {
  it('has its words, its order and its numbers', () => {
    speak('de', { '{a} of {b}': 'von {b} nur {a}' });
    expect(t('{a} of {b}', { a: 1, b: 12_345.5 })).toBe('von 12.345,5 nur 1');
    expect(tx<{ a: 1 } | string>('{a} of {b}', { a: { a: 1 }, b: 'x' })).toEqual([
      'von ',
      'x',
      ' nur ',
      { a: 1 },
      '',
    ]);
    expect(formatNumber(0.5, { style: 'percent' })).toBe('50\u00a0%');
  });

  it('has its own plurals', () => {
    const forms = { one: '{count} sesja', few: '{count} sesje', other: '{count} sesji' };
    speak('pl', { '{count} sessions': forms });
    const sessions = (count: number) => tn(count, '{count} session', '{count} sessions');
    expect([1, 2, 5, 22].map(sessions)).toEqual(['1 sesja', '2 sesje', '5 sesji', '22 sesje']);
  });

  it('is English where a translation is missing', () => {
    speak('de', {});
    expect(t('Not yet')).toBe('Not yet');
    expect(tn(1, '{count} request', '{count} requests')).toBe('1 request');
  });

  it('reaches the words of the model', () => {
    speak('de', GERMAN.catalogue);
    const banner = bannerOf({ type: 'paused', reason: 'offline' }, 0);
    expect(banner?.text).toBe('Du bist offline. Was du siehst, ist vielleicht veraltet.');
  });
});
