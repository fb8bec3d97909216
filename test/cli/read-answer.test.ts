/**
 * The words of a person at a terminal as an answer to an approval. A bug would look like "no" that lets a tool run, or a
 * number that takes another choice than the one beside it.
 */
import { describe, expect, it } from 'vitest';
import { answerOf, type AnswerWords } from '../../src/cli/read-answer.ts';
import type { Interaction, JsonObject } from '../../src/protocol/types.ts';

const asking = (choices?: readonly JsonObject[]) =>
  ({
    kind: 'approval',
    request: { input: {}, ...(choices !== undefined && { choices }) },
  }) as unknown as Interaction;
const CHOICES = [
  { id: 'once', label: 'Push now', decision: 'approve' },
  { id: 'never', label: 'Never', decision: 'deny' },
];
const given = (text: string, choices?: readonly JsonObject[], more: Partial<AnswerWords> = {}) => {
  try {
    return answerOf(asking(choices), { words: text === '' ? [] : text.split(' '), ...more });
  } catch (cause) {
    return (cause as Error).message;
  }
};

describe('an approval', () => {
  it.each<[string, JsonObject]>([
    ['approve', { decision: 'approve' }],
    ['y', { decision: 'approve' }],
    ['No not today', { decision: 'deny', reason: 'not today' }],
  ])('[CLI-1] %j', (text, answer) => {
    expect(given(text)).toEqual(answer);
  });

  it('[APR-7] may be denied with a stop', () => {
    expect(given('deny', undefined, { isStop: true })).toEqual({ decision: 'deny', stop: true });
    expect(given('', CHOICES, { isDecline: true, isStop: true })).toEqual({
      decision: 'deny',
      stop: true,
    });
    expect(given('never', CHOICES, { isStop: true })).toEqual({ choice: 'never', stop: true });
    expect(given('approve', undefined, { isStop: true })).toContain('--stop');
    expect(given('once', CHOICES, { isStop: true })).toContain('--stop');
  });

  it.each<[string, JsonObject]>([
    ['1', { choice: 'once' }],
    ['push now', { choice: 'once' }],
    ['ONCE', { choice: 'once' }],
    ['once before noon', { choice: 'once', reason: 'before noon' }],
    ['2 too early', { choice: 'never', reason: 'too early' }],
    ['n', { decision: 'deny' }],
    ['deny too early', { decision: 'deny', reason: 'too early' }],
  ])('[APR-6] with choices: %j', (text, answer) => {
    expect(given(text, CHOICES)).toEqual(answer);
  });

  it.each(['approve', 'yes', 'y', '3', '0', 'push', ''])(
    '[APR-6] with choices %j is explained',
    (text) => {
      expect(given(text, CHOICES)).toContain('number of a choice, 1 to 2');
    },
  );

  it.each<[string, JsonObject]>([
    ['no', { id: 'no', label: 'A', decision: 'approve' }],
    ['n', { id: 'a', label: 'No', decision: 'approve' }],
    ['yes', { id: 'yes', label: 'A', decision: 'deny' }],
    ['y', { id: 'a', label: 'YES', decision: 'deny' }],
  ])('[APR-6] %j never decides against its own word: %j', (text, choice) => {
    expect(given(text, [choice])).toContain('number of a choice');
    expect(given('1', [choice])).toEqual({ choice: choice['id'] });
  });

  it('[APR-6] a number that is the name of another choice takes neither', () => {
    const swapped = [
      { id: '2', label: 'A', decision: 'approve' },
      { id: '1', label: 'B', decision: 'deny' },
    ];
    expect(given('1', swapped)).toContain('number of a choice');
    expect(given('A', swapped)).toEqual({ choice: '2' });
  });

  it('[APR-6] for the session and an edit belong to the choices', () => {
    expect(given('once', CHOICES, { isForSession: true })).toContain('--for-session');
    const input = { command: 'ls' };
    expect(given('once', CHOICES, { input })).toEqual({ choice: 'once', updatedInput: input });
  });
});
