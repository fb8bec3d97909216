/** The fragment: what a link may say, and that a token does not stay in it. */
import { expect, it } from 'vitest';
import { addressOf, fragmentOf, readFragment } from '../../../src/web/model/location.ts';

it('takes the token out, and keeps the rest', () => {
  const { token, place } = readFragment('#token=hp_a.b&session=ses_1&interaction=call_1~1');
  expect(token).toBe('hp_a.b');
  expect(fragmentOf(place)).toBe('#session=ses_1&interaction=call_1%7E1');
  expect(fragmentOf(place)).not.toContain('hp_');
});

it.each(['', '#', '#token=', '#&&', '#something', '#%E0%A4%A'])('reads nothing from %j', (text) => {
  expect(readFragment(text)).toEqual({ place: {} });
});

it('says the same place again', () => {
  const place = { session: 'a b&c=d#é', interaction: 'x~1' };
  expect(readFragment(fragmentOf(place)).place).toEqual(place);
  expect(addressOf({})).toBe('/');
});
