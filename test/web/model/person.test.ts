/** The signed-in person: read from a token, stored on the device, and never trusted further. */
import { expect, it } from 'vitest';
import {
  forgetPerson,
  isExpired,
  savePerson,
  loadPerson,
  hasScope,
  personOf,
} from '../../../src/web/model/person.ts';
import { storeIn } from '../../../src/web/model/key-value-store.ts';
import { memoryStore } from '../../support/web/memory-store.ts';

const tokenOf = (claims: unknown) =>
  `hp_${Buffer.from(JSON.stringify(claims)).toString('base64url')}.signature`;

it('[UI-12] reads the scopes of a token', () => {
  const person = personOf(tokenOf({ c: ['read', 'answer'], u: 'Zoë', x: 5_000, s: 'ses_1' }));
  expect(person).toMatchObject({ subject: 'Zoë', expiresAt: 5_000, session: 'ses_1' });
  expect(person && hasScope(person, 'answer')).toBe(true);
  expect(person && hasScope(person, 'send')).toBe(false);
  expect(person && isExpired(person, 4_999)).toBe(false);
  expect(person && isExpired(person, 5_000)).toBe(true);
});

it('[UI-8] reads the id of a token, and the key from which it descends', () => {
  const ids = (claims: object) => {
    const { credential, key, via } = personOf(tokenOf({ u: 'ada', ...claims })) ?? {};
    return [credential, key, via];
  };
  expect(ids({ k: 'person', i: 'tok_1', m: [] })).toEqual(['tok_1', 'admin', 'web']);
  expect(ids({ k: 'session', i: 'tok_2', m: ['tok_1', 'key_1'] })).toEqual([
    'tok_2',
    'key_1',
    'web',
  ]);
  expect(ids({ k: 'key', i: 'key_1', m: [] })).toEqual(['key_1', 'key_1', 'api']);
});

it('treats a key without claims as the administrator’s', () => {
  const person = personOf('some-admin-key');
  expect(person && hasScope(person, 'send') && hasScope(person, 'admin')).toBe(true);
  expect(person && isExpired(person, Infinity)).toBe(false);
});

it.each(['', 'hp_', 'hp_%%%', 'hp_bm8.x', 'hp_bnVsbA.x', `hp_${'x'.repeat(99)}`])(
  'does not accept %j as a token',
  (text) => {
    expect(personOf(text)).toBeUndefined();
  },
);

it('tolerates any claims, also those of another version', () => {
  expect(personOf(tokenOf({ c: 'all', u: 'mia', x: 'never' }))).toMatchObject({
    subject: 'mia',
    scopes: [],
    expiresAt: null,
    session: null,
  });
});

it('[AUTH-1] does not accept a token without a subject: a switch to it could not be named', () => {
  expect(personOf(tokenOf({ c: ['read'] }))).toBeUndefined();
  expect(personOf(tokenOf({ c: ['read'], u: 7 }))).toBeUndefined();
});

it('[AUTH-10] knows a token that a key made from one that an administrator or a login vouches for', () => {
  const claims = { k: 'person', i: 'tok_1', u: 'mia', c: ['answer'] };
  expect(personOf(tokenOf({ ...claims, m: ['key_1'] }))?.isOfKey).toBe(true);
  expect(personOf(tokenOf({ ...claims, m: ['key_1'], r: 'key_1' }))?.isOfKey).toBe(true);
  expect(personOf(tokenOf({ ...claims, m: ['key_1'], r: 'tok_1' }))?.isOfKey).toBeUndefined();
  expect(personOf(tokenOf({ ...claims, m: [] }))?.isOfKey).toBeUndefined();
});

it('is remembered until signed out', () => {
  const store = memoryStore();
  expect(loadPerson(store)).toBeUndefined();
  expect(savePerson(store, ` ${tokenOf({ c: ['read'], u: 'mia' })}\n`)?.scopes).toEqual(['read']);
  expect(loadPerson(store)?.scopes).toEqual(['read']);
  expect(savePerson(store, 'hp_nonsense')).toBeUndefined();
  expect(loadPerson(store)?.scopes).toEqual(['read']);
  forgetPerson(store);
  expect(loadPerson(store)).toBeUndefined();
});

it('works in a window without storage', () => {
  const store = storeIn(() => {
    throw new Error('SecurityError');
  });
  expect(savePerson(store, 'some-admin-key')?.subject).toBe('admin');
  expect(loadPerson(store)).toBeUndefined();
  forgetPerson(store);
});
