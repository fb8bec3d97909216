/** What a row says of the people. A bug here tells a person that a request is not theirs, or hides that another one looks. */
import { expect, it } from 'vitest';
import { teamOf } from '../../../src/web/model/inbox-team.ts';

type Entry = Parameters<typeof teamOf>[0];

const NOW = 1_000_000;
const ME = { subject: 'ada', scopes: ['read', 'answer'] };
const by = (subject: string) => ({ subject, credential: `cred_${subject}` });
const entry = (more: object = {}) => ({ openedBy: by('agent'), ...more }) as Entry;
const of = (more: object, groups?: readonly string[]) => teamOf(entry(more), ME, groups, NOW);
const NOTHING = { votes: undefined, notMine: undefined, claim: undefined };

it('[BOX-6] says nothing of a request that any one person decides', () => {
  expect(of({})).toEqual(NOTHING);
});

it('[BOX-6] counts the approvals of a quorum, and knows the own one', () => {
  const quorum = { approvals: 2 };
  expect(of({ quorum })).toEqual({ ...NOTHING, votes: '0 of 2' });
  expect(of({ quorum, votes: [{ by: by('bob'), at: 1 }] })).toEqual({
    ...NOTHING,
    votes: '1 of 2',
  });
  expect(of({ quorum, votes: [{ by: by('ada'), at: 1 }] })).toEqual({
    ...NOTHING,
    votes: '1 of 2',
    notMine: 'You approved',
  });
});

it('[BOX-6] names who looks at it, until that is over', () => {
  const claim = { by: by('bob\u202E'), until: NOW + 1, at: NOW };
  expect(of({ claim }).claim).toBe(String.raw`bob\u202E is looking`);
  expect(of({ claim: { ...claim, by: by('ada') } }).claim).toBe('You are looking');
  expect(of({ claim: { ...claim, until: NOW } }).claim).toBeUndefined();
});

it('[BOX-6] says whose a request is that another person decides', () => {
  expect(of({ audience: { subjects: ['bob'] } }).notMine).toBe('For bob');
  expect(of({ audience: { subjects: ['bob', 'ada'] } }).notMine).toBeUndefined();
  expect(of({ audience: { groups: ['ops'] } }, ['dev']).notMine).toBe('For group ops');
  expect(of({ audience: { groups: ['ops'] } }, ['ops']).notMine).toBeUndefined();
  expect(of({ notRequester: true, openedBy: by('ada') }).notMine).toBe('Another person decides');
  expect(of({ notRequester: true }).notMine).toBeUndefined();
});

it('[BOX-6] hides nothing while the groups are not known, nor from an administrator', () => {
  expect(of({ audience: { groups: ['ops'] } }).notMine).toBeUndefined();
  const admin = { subject: 'root', scopes: ['admin'] };
  expect(teamOf(entry({ audience: { subjects: ['bob'] } }), admin, [], NOW)).toEqual(NOTHING);
});
