/**
 * Whose decision a card shows. A bug here tells a person that they allowed the decision of another person or a
 * program.
 */
import { expect, it } from 'vitest';
import type { Interaction } from '../../../../src/protocol/types.ts';
import {
  deciderWords,
  outcomeWords,
  overtakenWords,
  type Viewer,
  cardToneOf,
} from '../../../../src/web/model/cards/outcome-words.ts';

const ADA: Viewer = { subject: 'ada', credential: 'tok_1', key: 'admin', via: 'web' };

const settled = (settledBy: Interaction['settledBy']) =>
  ({ kind: 'approval', status: 'settled', outcome: 'approved', settledBy }) as Interaction;

it.each([
  ['the same token', { subject: 'ada', via: 'web', credential: 'tok_1', key: 'admin' }],
  [
    'another link of the same person',
    { subject: 'ada', via: 'web', credential: 'tok_2', key: 'admin' },
  ],
  ['a message', { subject: 'ada', via: 'text', credential: 'tok_1', key: 'admin' }],
  ['a log without credentials', { subject: 'ada', via: 'web' }],
] as const)('[UI-8] is by you: %s', (_what, by) => {
  expect(deciderWords(settled(by), ADA)).toMatch(/^by you/);
  expect(cardToneOf(settled(by), ADA)).toBe('emerald');
});

it.each([
  [
    'a key that calls its token by your name',
    { subject: 'ada', via: 'web', credential: 'tok_3', key: 'key_bot' },
    'by ada',
  ],
  ['another person', { subject: 'mia', via: 'web', credential: 'tok_4', key: 'admin' }, 'by mia'],
  ['a key of your name in an old log', { subject: 'ada', via: 'api' }, 'by ada'],
] as const)('[UI-8] is not by you, and names no unknown surface: %s', (_what, by, words) => {
  expect(deciderWords(settled(by), ADA)).toBe(words);
  expect(cardToneOf(settled(by), ADA)).toBe('grey');
});

it('shows a plan that was sent back as neither approved nor refused', () => {
  const record = {
    ...settled({ subject: 'ada', via: 'web', credential: 'tok_1', key: 'admin' }),
    kind: 'plan_review',
    outcome: 'denied',
  } as Interaction;
  expect(outcomeWords(record)).toBe('Changes requested');
  expect(cardToneOf(record, ADA)).toBe('grey');
});

it.each([
  ['approval', 'completed', 'Answered at the terminal'],
  ['approval', 'failed', 'Allowed at the terminal, and failed'],
  ['question', 'completed', 'Answered at the terminal'],
] as const)(
  '[HOOK-4] names the terminal that answered a %s first (%s)',
  (kind, elsewhere, words) => {
    const by = { subject: 'claude', via: 'hook', credential: 'key_1', key: 'key_1' } as const;
    const record = { ...settled(by), kind, outcome: 'cancelled', elsewhere } as Interaction;
    expect(outcomeWords(record)).toBe(words);
    expect(deciderWords(record, ADA)).toBe('');
    expect(overtakenWords(record, ADA)).toBe(words);
  },
);
