/** Whom a request is for. A bug here hides the buttons from a person who is asked, or names the wrong people. */
import { expect, it } from 'vitest';
import { isAskedFor, outsiderWords } from '../../../src/web/model/inbox-team.ts';
import { audienceNames } from '../../../src/web/model/audience.ts';
import { personWith } from '../../support/web/person.ts';

const ADA = personWith('read', 'answer');

it('[ROUTE-8] names people, groups and targets', () => {
  const audience = { subjects: ['ana'], groups: ['ops'], targets: ['pager'] };
  expect(audienceNames(audience)).toBe('ana, group ops, target pager');
  expect(outsiderWords(audience)).toBe(
    'This request is for ana, group ops and target pager. You can read it.',
  );
  expect(outsiderWords({ subjects: ['ana'] })).toBe('This request is for ana. You can read it.');
  expect(outsiderWords({ subjects: ['ana'], groups: ['ops'] })).toBe(
    'This request is for ana and group ops. You can read it.',
  );
});

it('[ROUTE-8] counts the names beyond ten, and shows what cannot be seen', () => {
  const subjects = Array.from({ length: 12 }, (_, at) => `p${at}`);
  expect(audienceNames({ subjects })).toBe('p0, p1, p2, p3, p4, p5, p6, p7, p8, p9, 2 more');
  expect(audienceNames({ subjects: subjects.slice(0, 10) })).toMatch(/p8, p9$/);
  expect(audienceNames({ subjects: ['a\u202eb'] })).not.toContain('\u202e');
});

it.each([
  [{ subjects: ['ada'] }, undefined, true],
  [{ subjects: ['Ada'] }, ['ops'], true],
  [{ subjects: ['Adam'] }, ['ops'], false],
  [{ groups: ['ops'] }, undefined, undefined],
  [{ groups: ['ops'] }, ['leads', 'ops'], true],
  [{ groups: ['ops'] }, [], false],
  [{ subjects: ['ana'], groups: ['ops'] }, undefined, undefined],
  [{ targets: ['ada'] }, undefined, false],
])('[ROUTE-8] whether ada is asked by %j, in the groups %j: %s', (audience, groups, isAsked) => {
  expect(isAskedFor(audience, ADA, groups)).toBe(isAsked);
});

it('[ROUTE-8, AUTH-10] asks no one whose token a key made by name, and says so at once', () => {
  const ofKey = { ...ADA, isOfKey: true } as const;
  expect(isAskedFor({ subjects: ['ada'] }, ofKey, ['ops'])).toBe(false);
  expect(isAskedFor({ groups: ['ops'] }, ofKey, undefined)).toBe(false);
});

it('[ROUTE-8] always asks administrators', () => {
  expect(isAskedFor({ subjects: ['ana'] }, personWith('admin'), undefined)).toBe(true);
});
