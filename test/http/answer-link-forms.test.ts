/**
 * Answering by the form of an answer link. A bug here looks like a form that sends another answer than it shows, or typed words
 * that are lost.
 */
import { describe, expect, it } from 'vitest';
import { reject } from '../../src/protocol/errors.ts';
import type { JsonObject } from '../../src/protocol/json.ts';
import type { InteractionView } from '../../src/protocol/schema/interaction.ts';
import { DIGEST, LinkPages, openRecord } from '../support/http/link-pages.ts';
import { ofKind, QUESTIONS, FORM, PLAN, type Fields } from './linked-requests.ts';

describe('answering by the form of the page', () => {
  it.each<[string, InteractionView, Fields, JsonObject]>([
    ['approve', openRecord(), [['act', 'approve']], { decision: 'approve' }],
    [
      'deny with a reason',
      openRecord(),
      [
        ['act', 'deny'],
        ['reason', ' not\r\nnow '],
      ],
      { decision: 'deny', reason: 'not\nnow' },
    ],
    [
      'a rule for this call',
      openRecord(),
      [
        ['act', 'allow_for_session'],
        ['rule', 'exact'],
      ],
      { decision: 'approve', offer: 'session', exact: true },
    ],
    [
      'a rule for the tool',
      openRecord(),
      [
        ['act', 'allow_for_session'],
        ['rule', 'every'],
        ['every-command', 'yes'],
      ],
      { decision: 'approve', offer: 'session', everyCommand: true },
    ],
    [
      'all questions',
      QUESTIONS,
      [
        ['act', 'answer'],
        ['q0', '1'],
        ['q1', '0'],
        ['q1', 'other'],
        ['q1-other', 'own words'],
      ],
      { answers: { '0': 'Green', '1': ['S', 'own words'] } },
    ],
    [
      'typed words without their button',
      QUESTIONS,
      [
        ['act', 'answer'],
        ['q0-other', 'Blue'],
        ['q1', '1'],
      ],
      { answers: { '0': 'Blue', '1': ['L'] } },
    ],
    [
      'no answer, with a reason',
      QUESTIONS,
      [
        ['act', 'decline'],
        ['reason', 'ask Bo'],
      ],
      { decline: true, reason: 'ask Bo' },
    ],
    [
      'a plan',
      PLAN,
      [
        ['act', 'decide'],
        ['decision', 'clean_edit'],
      ],
      { decision: 'clean_edit' },
    ],
    [
      'feedback',
      PLAN,
      [
        ['act', 'adjust'],
        ['feedback', 'smaller'],
      ],
      { decision: 'adjust', feedback: 'smaller' },
    ],
    [
      'every type of field',
      FORM,
      [
        ['act', 'submit'],
        ['f0', 'db-1'],
        ['f1', '2'],
        ['f2', 'eu'],
        ['f3', 'no'],
        ['f4', '2026-11-20'],
        ['f5', '2026-11-20T09:30'],
        ['f6', 'b'],
      ],
      {
        values: {
          name: 'db-1',
          count: 2,
          region: 'eu',
          backup: false,
          day: '2026-11-20',
          at: '2026-11-20T09:30:00.000Z',
          tags: ['b'],
        },
      },
    ],
    [
      'a question without options, and one of twelve',
      ofKind('question', {
        questions: [
          { question: 'Why?', options: [], multiSelect: false },
          {
            question: 'Which?',
            options: Array.from({ length: 12 }, (_, at) => ({ label: `o${at}` })),
            multiSelect: false,
          },
        ],
      }),
      [
        ['act', 'answer'],
        ['q0-other', 'Because'],
        ['q1', '11'],
      ],
      { answers: { '0': 'Because', '1': 'o11' } },
    ],
    [
      'a choice that has a description, and nothing for the other',
      ofKind('form', {
        schema: {
          type: 'object',
          required: ['store'],
          properties: {
            store: { type: 'string', oneOf: [{ const: 'lite', title: 'L', description: 'File' }] },
            more: { type: 'string', oneOf: [{ const: 'x', title: 'X', description: '<b>' }] },
          },
        },
      }),
      [
        ['act', 'submit'],
        ['f0', 'lite'],
        ['f1', ''],
      ],
      { values: { store: 'lite' } },
    ],
  ])('[LINK-1, LINK-2] gives %s', async (_what, record, fields, answer) => {
    const pages = new LinkPages(record);
    const response = await pages.send(fields);
    expect(response.status).toBe(200);
    expect(pages.answers).toEqual([{ ...answer, inputDigest: DIGEST }]);
    const [given] = pages.given;
    expect(given?.context.caller).toMatchObject({
      subject: 'mia',
      via: 'link',
      scopes: ['answer'],
      credential: 'tok_1',
    });
    const text = await response.text();
    expect(text).toContain('Your answer is recorded');
    expect(text).toContain('by mia by an answer link');
  });

  it.each<[string, InteractionView, Fields, readonly string[]]>([
    [
      'a question without an answer',
      QUESTIONS,
      [
        ['act', 'answer'],
        ['q0', 'other'],
        ['q1', '1'],
      ],
      ['Type your answer.', 'value="1" checked'],
    ],
    [
      'two answers to one question',
      QUESTIONS,
      [
        ['act', 'answer'],
        ['q0', '0'],
        ['q0-other', 'Blue & green'],
        ['q1', '1'],
      ],
      ['You chose “Red”', 'value="Blue &amp; green"'],
    ],
    [
      'a question in words without any',
      ofKind('question', { questions: [{ question: 'Why?', options: [], multiSelect: false }] }),
      [
        ['act', 'answer'],
        ['q0-other', ' '],
      ],
      ['Type your answer.', '<textarea', 'name="q0-other"'],
    ],
    ['no decision on a plan', PLAN, [['act', 'decide']], ['Choose how to go on.']],
    [
      'wrong values',
      FORM,
      [
        ['act', 'submit'],
        ['f0', 'ab'],
        ['f1', 'two'],
        ['f4', ''],
        ['f5', '2026-11-20T09:30'],
        ['f6', 'a'],
      ],
      [
        'Use a whole number',
        'Required',
        'value="two"',
        'value="2026-11-20T09:30"',
        'value="a" checked',
      ],
    ],
  ])(
    '[LINK-2] shows %s at its field, and keeps what was typed',
    async (_what, record, fields, parts) => {
      const pages = new LinkPages(record);
      const response = await pages.send(fields);
      expect(response.status).toBe(422);
      expect(pages.given).toEqual([]);
      const text = await response.text();
      expect(text).toContain('role="alert"');
      for (const part of parts) expect(text).toContain(part);
    },
  );

  it('[LINK-2] shows what the server finds wrong at its field', async () => {
    const pages = new LinkPages(FORM);
    pages.onAnswer = () =>
      reject('invalid_values', 'Look', { fieldErrors: { name: 'Write at least 3 characters.' } });
    const fields: Fields = [
      ['act', 'submit'],
      ['f0', 'ab'],
      ['f1', '2'],
      ['f2', 'eu'],
      ['f3', 'yes'],
    ];
    const response = await pages.send(fields);
    expect(response.status).toBe(422);
    const text = await response.text();
    expect(text).toMatch(/id="f0"[^>]* aria-invalid="true" value="ab"/);
    expect(text).toContain('Write at least 3 characters.');
  });

  it('[LINK-2] keeps what was typed when it could not be written', async () => {
    const fields: Fields = [
      ['act', 'deny'],
      ['reason', 'not today'],
    ];
    const pages = new LinkPages(openRecord());
    pages.onAnswer = () => {
      throw new Error('SQLITE_FULL: database or disk is full');
    };
    const thrown = await pages.send(fields);
    pages.onAnswer = () =>
      reject('write_failed', 'This could not be written, and nothing changed.');
    const refused = await pages.send(fields);
    for (const response of [thrown, refused]) {
      expect(response.status).toBe(503);
      const text = await response.text();
      expect(text).toContain('nothing changed');
      expect(text).toContain('not today</textarea>');
    }
  });

  it.each<[string, Fields]>([
    ['no act', []],
    [
      'an act twice',
      [
        ['act', 'deny'],
        ['act', 'approve'],
      ],
    ],
    [
      'a second digest',
      [
        ['act', 'approve'],
        ['inputDigest', DIGEST],
      ],
    ],
    [
      'U+0000',
      [
        ['act', 'deny'],
        ['reason', 'a\0b'],
      ],
    ],
  ])('[LINK-1] refuses a form with %s', async (_what, fields) => {
    const pages = new LinkPages(openRecord());
    expect((await pages.send(fields)).status).toBe(400);
    expect(pages.given).toEqual([]);
  });

  it('[LINK-1] refuses an act that the link is not good for', async () => {
    const pages = new LinkPages(openRecord(), { answers: ['deny'] });
    expect((await pages.send([['act', 'approve']])).status).toBe(422);
    expect((await pages.sendJson({ answer: { decision: 'approve' } })).status).toBe(422);
    expect(pages.given).toEqual([]);
  });
});
