/**
 * `Prefer: wait=`, which arrives in many spellings and together with other preferences.
 *
 * A bug here looks like an agent that polls in a tight loop because the server missed its wait, or a request held
 * longer than any proxy allows.
 */
import { expect, it } from 'vitest';
import { readPreferredWait } from '../../src/http/streaming/long-poll.ts';

const waitFor = (prefer?: string) =>
  readPreferredWait(
    new Request('https://hold.example/', {
      headers: prefer === undefined ? {} : { Prefer: prefer },
    }),
  );

it.each([
  ['wait=1', 1],
  ['wait=55', 55],
  ['respond-async, wait=10', 10],
  ['wait=10, respond-async', 10],
  ['respond-async;wait=10', 10],
  ['wait=10;foo=bar', 10],
  ['return=minimal wait=7', 7],
  ['wait=005', 5],
])('[API-3] reads %j as %d seconds', (prefer, seconds) => {
  expect(waitFor(prefer)).toBe(seconds);
});

it.each(['wait=56', 'wait=600', 'wait=999999'])('[API-3] clamps %j to 55 seconds', (prefer) => {
  expect(waitFor(prefer)).toBe(55);
});

it.each([
  undefined,
  '',
  'wait',
  'wait=',
  'wait=0',
  'wait=-1',
  'wait=1.5',
  'wait=1e3',
  'wait=ten',
  'wait=9999999',
  'await=10',
  'nowait=10',
  'wait=10s',
  'respond-async',
])('[API-3] reads %j as no wait', (prefer) => {
  expect(waitFor(prefer)).toBe(0);
});
