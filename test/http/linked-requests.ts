/** Requests of each kind, as the pages of answer links show them. */
import type { JsonObject } from '../../src/protocol/json.ts';
import { openRecord } from '../support/http/link-pages.ts';

export const ofKind = (kind: string, request: JsonObject) => openRecord({ kind, request });

export const QUESTIONS = ofKind('question', {
  questions: [
    {
      header: 'Color',
      question: 'Which color?',
      options: [
        { label: 'Red', description: 'Warm' },
        { label: 'Green', preview: '#0f0' },
      ],
      multiSelect: false,
    },
    {
      header: 'Sizes',
      question: 'Which sizes?',
      options: [{ label: 'S' }, { label: 'L' }],
      multiSelect: true,
    },
  ],
});

export const FORM = ofKind('form', {
  title: 'A new machine',
  description: 'Say where',
  schema: {
    type: 'object',
    required: ['name', 'count', 'region', 'backup'],
    properties: {
      name: { type: 'string', title: 'Name', minLength: 3, default: 'db' },
      count: { type: 'integer', title: 'How many', minimum: 1, maximum: 9 },
      region: { type: 'string', title: 'Region', enum: ['eu', 'us'], enumNames: ['Europe', 'USA'] },
      backup: { type: 'boolean', title: 'Backups' },
      day: { type: 'string', title: 'Day', format: 'date' },
      at: {
        type: 'string',
        title: 'At',
        format: 'date-time',
        default: '2026-11-19T10:00:00+02:00',
      },
      tags: { type: 'array', title: 'Tags', items: { enum: ['a', 'b'] }, maxItems: 1 },
    },
  },
});

export const PLAN = ofKind('plan_review', { plan: '1. Look\n2. Leap' });

export type Fields = readonly (readonly [string, string])[];
