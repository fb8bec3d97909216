/** Text that outlives its request. A bug here loses it, or offers to send it twice. */
import { expect, it } from 'vitest';
import type { Interaction, JsonObject } from '../../../../src/protocol/types.ts';
import { unsentTextOf } from '../../../../src/web/model/cards/unsent-text.ts';

const record = (over: object) => ({ request: {}, ...over }) as Interaction;
const QUESTIONS = {
  questions: [
    { header: 'A', question: 'A?', options: [{ label: 'x' }] },
    { header: 'B', question: 'B?', options: [{ label: 'y' }] },
  ],
};
const FORM = {
  schema: {
    type: 'object',
    properties: {
      note: { type: 'string', default: 'None' },
      region: { type: 'string', enum: ['eu'] },
      mail: { type: 'string' },
    },
  },
};

const CASES: readonly [string, Interaction, JsonObject | undefined, string, string][] = [
  ['a reason', record({ kind: 'approval' }), undefined, ' Too risky ', 'Too risky'],
  ['an edit', record({ kind: 'approval' }), { edited: '{"a":1}' }, '', '{"a":1}'],
  ['feedback', record({ kind: 'plan_review' }), { feedback: 'Look first' }, '', 'Look first'],
  [
    'own words, and not what was chosen',
    record({ kind: 'question', request: QUESTIONS }),
    {
      0: { labels: ['x'], isOther: false, other: '' },
      1: { labels: [], isOther: true, other: 'Mauve' },
    },
    '',
    'Mauve',
  ],
  [
    'what was typed, and not what stood there or was chosen',
    record({ kind: 'form', request: FORM }),
    { note: 'None', region: 'eu', mail: 'ada@example.com' },
    'Not mine',
    'ada@example.com\n\nNot mine',
  ],
  ['nothing of a kind that is not known', record({ kind: 'puzzle' }), { x: 'y' }, '', ''],
];

it.each(CASES)('[UI-8] keeps %s', (_what, asked, draft, reason, words) => {
  expect(unsentTextOf(asked, draft, reason)).toBe(words);
});

it('[UI-8] leaves out text that the record contains', () => {
  const denied = record({ kind: 'approval', reason: 'Too\n“risky”' });
  expect(unsentTextOf(denied, undefined, 'Too\n“risky”')).toBe('');
  const answered = record({ kind: 'question', request: QUESTIONS, answers: { 1: 'Mauve' } });
  const draft = { 1: { labels: [], isOther: true, other: 'Mauve' } };
  expect(unsentTextOf(answered, draft, '')).toBe('');
});
