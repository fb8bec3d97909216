/**
 * The problems that a schema finds, as sentences for a person.
 *
 * A bug here looks like "Invalid input" for a body of forty lines, or like a sentence that requires knowledge
 * of zod.
 */
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { QuestionAnswer, QuestionRequest } from '../../src/protocol/schema/kinds/question.ts';
import { AppendEvents, DecideBatch, SendMessage } from '../../src/protocol/schema/command.ts';
import { ClientFrame } from '../../src/protocol/schema/frame.ts';
import { OpenCommonSchema } from '../../src/protocol/schema/interaction.ts';
import { plainIssues } from '../../src/protocol/schema/rejection.ts';
import { CreateSession } from '../../src/protocol/schema/session.ts';
import { CreateKey } from '../../src/protocol/schema/workspace.ts';

function issuesOf(schema: z.ZodType, value: unknown): string[] {
  const { error } = schema.safeParse(value);
  return plainIssues(error?.issues ?? []).map(({ path, message }) =>
    path === '' ? message : `${path}: ${message}`,
  );
}

const asked = (options: unknown) => ({
  questions: [{ header: 'Pick', question: 'Which?', options }],
});

describe('a body of this API', () => {
  it.each<[string, z.ZodType, unknown, readonly string[]]>([
    [
      'too many options',
      QuestionRequest,
      asked(Array.from({ length: 13 }, (_, at) => ({ label: `${at}` }))),
      ['questions.0.options: at most 12 options'],
    ],
    [
      'an option without a label',
      QuestionRequest,
      asked([{ label: 'A' }, {}]),
      ['questions.0.options.1.label: is required'],
    ],
    ['nothing of what it needs', SendMessage, {}, ['text: is required']],
    ['null for text', SendMessage, { text: null }, ['text: use text, not null']],
    ['a field that is none', SendMessage, { text: 'a', to: 'b' }, ['unknown field "to"']],
    ['two of them', SendMessage, { text: 'a', to: 'b', cc: 'c' }, ['unknown fields "to", "cc"']],
    ['a list for an object', SendMessage, ['a'], ['use an object, not a list']],
    ['no events', AppendEvents, { events: [] }, ['events: at least 1 event']],
    [
      'an event of no known type',
      AppendEvents,
      { events: [{ type: 'invented' }] },
      [expect.stringMatching(/^events\.0\.type: use "turn_started" or /)],
    ],
    ['no scopes', CreateKey, { name: 'ci', scopes: [] }, ['scopes: at least 1 scope']],
    [
      'an answer without its target',
      DecideBatch,
      { decisions: [{ answer: {} }] },
      ['decisions.0.interactionId: is required'],
    ],
    [
      'a tool call for an interaction',
      DecideBatch,
      { decisions: [{ interactionId: 'call_1', answer: {} }] },
      [expect.stringContaining('Interaction ids end in ~1')],
    ],
    [
      'another word at the deadline',
      OpenCommonSchema,
      { toolName: 'Bash', kind: 'approval', onExpire: 'allow' },
      ['onExpire: use "deny" or "keep" or an object'],
    ],
    [
      'a mode that is none',
      CreateSession,
      { permissionMode: 'yolo' },
      [expect.stringMatching(/^permissionMode: use "default" or /)],
    ],
    [
      'an answer of no form',
      QuestionAnswer,
      { answers: 'Red' },
      [expect.stringMatching(/^answers: /)],
    ],
    [
      'a frame of no type',
      ClientFrame,
      { type: 'ask', id: 'a' },
      ['type: use "open" or "batch" or "answer" or "message" or "cancel" or "interrupt" or "look"'],
    ],
  ])('[LIM-1] %s', (_name, schema, value, expected) => {
    expect(issuesOf(schema, value)).toEqual(expected);
  });
});

describe('any other schema', () => {
  it.each<[z.ZodType, unknown, string]>([
    [z.string().min(1), '', 'must not be empty'],
    [z.string().max(3), 'four', 'at most 3 characters'],
    [z.string().length(3), 'four', 'exactly 3 characters'],
    [z.number().min(1), 0, 'at least 1'],
    [z.number().gt(1), 1, 'more than 1'],
    [z.number().lt(5), 5, 'less than 5'],
    [z.number().multipleOf(5), 7, 'use a multiple of 5'],
    [z.int(), 1.5, 'use a whole number'],
    [z.boolean(), 'yes', 'use true or false, not text'],
    [z.literal('a'), 'b', 'use "a"'],
    [z.string().regex(/^a$/), 'b', 'has characters or a form that is not allowed here'],
    [z.string().regex(/^a$/, 'Use the letter a'), 'b', 'Use the letter a'],
    [z.url(), 'b', 'is not a valid url'],
    [z.union([z.string(), z.array(z.string())]), 7, 'use text or a list'],
    [z.union([z.string(), z.number()]), undefined, 'is required'],
    [z.array(z.string()).min(2), [], 'at least 2 items'],
    [z.record(z.string(), z.number()), 7, 'use an object, not a number'],
    [z.strictObject({ a: z.string() }).refine(() => false, 'No good'), { a: 'b' }, 'No good'],
  ])('[LIM-1] %# has a plain sentence', (schema, value, message) => {
    expect(issuesOf(schema, value)).toEqual([message]);
  });

  it('[LIM-1] quotes only a little of the input', () => {
    const body = Object.fromEntries(
      Array.from({ length: 100 }, (_, at) => [`${at}${'x'.repeat(5_000)}`, 1]),
    );
    const [issue] = issuesOf(z.strictObject({}), body);
    expect(issue?.length).toBeLessThan(1_000);
    expect(issue).toContain('and 92 more');
    const [deep] = issuesOf(z.record(z.string(), z.string()), { ['y'.repeat(5_000)]: 1 });
    expect(deep?.length).toBeLessThan(200);
  });
});
