/** The fragment: what a link may say, and that a token does not stay in it. */
import { expect, it } from 'vitest';
import { addressOf, fragmentOf, readFragment } from '../../../src/web/model/location.ts';

it('removes the token and keeps the rest', () => {
  const { token, location } = readFragment('#token=hp_a.b&session=ses_1&interaction=call_1~1');
  expect(token).toBe('hp_a.b');
  expect(fragmentOf(location)).toBe('#session=ses_1&interaction=call_1%7E1');
  expect(fragmentOf(location)).not.toContain('hp_');
});

it.each(['', '#', '#token=', '#&&', '#something', '#%E0%A4%A'])('reads nothing from %j', (text) => {
  expect(readFragment(text)).toEqual({ location: {} });
});

it('round-trips a location', () => {
  const location = { session: 'a b&c=d#é', interaction: 'x~1' };
  expect(readFragment(fragmentOf(location)).location).toEqual(location);
  expect(addressOf({})).toBe('/');
});
