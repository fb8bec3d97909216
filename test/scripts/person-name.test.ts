/** The audit list would say "root decided", which is nobody, or the server would refuse the name at every start. */
import { expect, it } from 'vitest';
import { personName } from '../../scripts/lib/person-name.ts';

it('takes the name that was set, else the one of the user', () => {
  expect(personName('Ada L.', 'ada')).toEqual({ name: 'Ada L.', from: 'setting' });
  expect(personName(undefined, 'ada')).toEqual({ name: 'ada', from: 'user' });
});

it.each([
  'root',
  'Administrator',
  'admin',
  'system',
  'you',
  '',
  'a\u001b[2J',
  ' ada',
  'a'.repeat(201),
])('[OPS-4] calls the person "me" whose user is %j', (user) => {
  expect(personName(undefined, user)).toEqual({ name: 'me', from: 'nothing' });
});

it.each(['admin', 'two\nlines', 'a\u202eda', '\u0430da', 'a'.repeat(201)])(
  '[OPS-4] refuses HOLDPOINT_NAME=%j before anything starts, and says why',
  (name) => {
    expect(() => personName(name, 'ada')).toThrow(/^HOLDPOINT_NAME is ".*"\. .+\.$/);
  },
);
