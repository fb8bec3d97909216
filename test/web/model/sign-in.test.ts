/**
 * A bug looks like a link in a message that answers under its author's name, or a broken link that signs a person
 * out.
 */
import { expect, it } from 'vitest';
import {
  acceptOffer,
  arriveWithToken,
  markAccepted,
  markRefused,
  withPerson,
} from '../../../src/web/model/sign-in.ts';
import { personOf } from '../../../src/web/model/person.ts';

const tokenOf = (u: string) =>
  `hp_${btoa(JSON.stringify({ c: ['read'], u })).replaceAll('=', '')}.x`;
const ADA = tokenOf('ada');
const MIA = tokenOf('mia');
const ada = withPerson(personOf(ADA));

it('[AUTH-1] offers another person’s link, and tries it only when it is accepted', () => {
  const offered = arriveWithToken(ada, MIA);
  expect(offered).toMatchObject({ person: { subject: 'ada' }, offered: { subject: 'mia' } });
  const tried = acceptOffer(offered);
  expect(tried).toMatchObject({ person: { subject: 'mia' }, before: { subject: 'ada' } });
  expect(markAccepted(tried, MIA)).toMatchObject({ person: { subject: 'mia' }, isProven: true });
});

it('[AUTH-1] goes back to the person before a link that the server refuses', () => {
  const refused = markRefused(acceptOffer(arriveWithToken(ada, MIA)), MIA);
  expect(refused).toEqual({ before: ada.person, problem: 'dead-link' });
});

it('[AUTH-1] reports a malformed token, whether or not a person is signed in', () => {
  expect(arriveWithToken(ada, 'hp_nonsense')).toEqual({ before: ada.person, problem: 'dead-link' });
  expect(arriveWithToken({}, 'hp_nonsense')).toEqual({ problem: 'dead-link' });
});

it('[TRN-7] tells a link that has expired from one that never worked', () => {
  expect(markRefused(ada, ADA)).toEqual({ problem: 'expired' });
  expect(markRefused(arriveWithToken({}, ADA), ADA)).toEqual({ problem: 'dead-link' });
  expect(markRefused(ada, MIA)).toBe(ada);
});

it('[AUTH-1] changes nothing for the same link again, proven or not', () => {
  expect(arriveWithToken(ada, ADA)).toEqual(ada);
  expect(arriveWithToken(arriveWithToken({}, ADA), ADA)).toMatchObject({ isProven: false });
});
