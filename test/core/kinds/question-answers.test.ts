/**
 * All answers at once, as a form surface sends them. A bug would look like an answer filed under the
 * wrong question, a text such as "[draft]" taken for JSON, or a gap that reads as an answer.
 */
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/protocol/json.ts';
import { answer, askQuestion, choice, COLOR, SIZES } from '../../support/asks.ts';
import { worldAfter } from '../../support/core-world.ts';
import { accepted, payloadOf, refused } from '../../support/outcome.ts';

/** The stored answers of one question, or the code of the refusal. */
function stored(asked: JsonObject, value: unknown): unknown {
  const world = worldAfter(askQuestion({}, [asked]));
  const decided = world.run(answer('call-1~1', { answers: { '0': value } } as JsonObject));
  return decided.ok ? world.record('call-1~1').answers?.['0'] : decided.code;
}

describe('one answer of several', () => {
  it.each([
    ['Red', 'Red'],
    ['Mauve', 'Mauve'],
    ['  Mauve ', 'Mauve'],
    ['[draft]', '[draft]'],
    ['["Red","Blue"]', '["Red","Blue"]'],
    ['1', '1'],
    ['null', 'null'],
    ['Red, Blue', 'Red, Blue'],
  ])('[QST-2] %j is stored as %j', (value, expected) => {
    expect(stored(COLOR, value)).toBe(expected);
  });

  it.each([[''], ['   '], ['\n\t'], [null], [7], [true], [['Red']], [{}]])(
    '[QST-3, INT-10] %j is no answer',
    (value) => {
      expect(stored(COLOR, value)).toBe('invalid_answer');
    },
  );
});

describe('several answers', () => {
  it.each([
    ['a real array', ['S', 'L'], ['S', 'L']],
    ['an array as text', '["S","L"]', ['S', 'L']],
    ['own words', 'extra long', ['extra long']],
    ['own words with a comma', 'S, L', ['S, L']],
    ['own words that are other JSON', '{"S":true}', ['{"S":true}']],
    ['an array of other things as text', '[1,2]', ['[1,2]']],
    ['words to trim', [' S ', 'tiny'], ['S', 'tiny']],
  ])('[QST-2] %s', (_what, value, expected) => {
    expect(stored(SIZES, value)).toEqual(expected);
  });

  it.each([[[]], ['[]'], ['["S",""]'], [['S', ' ']], [''], [['S', 1]], [null], [['S', 'S']]])(
    '[QST-2, INT-10] %j is no answer',
    (value) => {
      expect(stored(SIZES, value)).toBe('invalid_answer');
    },
  );
});

describe('a label', () => {
  const padded = (multiSelect: boolean) => ({ ...choice('Which?', [' a ', 'b']), multiSelect });

  it.each([
    [' a ', ' a '],
    ['a', ' a '],
    [' b', 'b'],
    [' c ', 'c'],
  ])('[QST-2] is stored as it was offered: %j is %j', (value, expected) => {
    expect(stored(padded(false), value)).toBe(expected);
    expect(stored(padded(true), [value])).toEqual([expected]);
    expect(stored(padded(true), value)).toEqual([expected]);
    expect(stored(padded(true), [value, value])).toBe('invalid_answer');
  });

  it('[QST-2] is a duplicate in any spelling', () => {
    for (const value of [['a', ' a '], '["a"," a "]', ['own', ' own ']]) {
      expect(stored(padded(true), value)).toBe('invalid_answer');
    }
  });
});

describe('the keys', () => {
  it.each<[string, JsonObject, string]>([
    ['nothing', {}, '0'],
    ['one missing', { '0': 'Red' }, '1'],
    ['one too many', { '0': 'Red', '1': ['S'], '2': 'more' }, '2'],
    ['a name', { '0': 'Red', '1': ['S'], color: 'Red' }, 'color'],
    ['the question itself', { 'Which color?': 'Red', '1': ['S'] }, 'Which color?'],
    ['a padded number', { '00': 'Red', '1': ['S'] }, '00'],
    ['a negative number', { '0': 'Red', '1': ['S'], '-1': 'Red' }, '-1'],
    ['a fraction', { '0': 'Red', '1': ['S'], '0.5': 'Red' }, '0.5'],
    ['a blank value', { '0': ' ', '1': ['S'] }, '0'],
    ['a value that is no text', { '0': 'Red', '1': 7 }, '1'],
  ])(
    '[QST-3] with %s the answer is refused by name, and the question stays open',
    (_what, answers, key) => {
      const world = worldAfter(askQuestion({}, [COLOR, SIZES]));
      const { code, details } = refused(world.run(answer('call-1~1', { answers })));
      expect({ code, details }).toEqual({ code: 'invalid_answer', details: { key } });
      expect(world.record('call-1~1')).toMatchObject({ status: 'open', rev: 1 });
    },
  );

  it.each<[JsonObject]>([
    [{}],
    [{ answers: null }],
    [{ answers: 'Red' }],
    [{ answers: ['Red'] }],
    [{ answers: { '0': 'Red', '1': ['S'] }, more: 1 }],
  ])('[INT-10] %j decides nothing', (given) => {
    const world = worldAfter(askQuestion({}, [COLOR, SIZES]));
    expect(refused(world.run(answer('call-1~1', given))).code).toBe('invalid_answer');
  });

  it('[QST-10] two questions with the same words keep their own answers', () => {
    const world = worldAfter(askQuestion({}, [COLOR, COLOR]));
    world.run(answer('call-1~1', { answers: { '0': 'Red', '1': 'Blue' } }));
    expect(world.record('call-1~1').answers).toEqual({ '0': 'Red', '1': 'Blue' });
    expect(world.agentReply('call-1~1')).toMatchObject({
      message: 'Which color?: ["Red"]\nWhich color?: ["Blue"]',
    });
  });
});

describe('the answered question', () => {
  it('[QST-6] the agent receives its input with the answers, and a text for its model', () => {
    const questions = [choice('Which color?', ['Red', 'Green']), SIZES];
    const world = worldAfter(askQuestion({}, questions));
    const answers = { '0': 'Mauve', '1': ['S', 'L'] };
    const decided = world.run(answer('call-1~1', { answers }));
    expect(world.agentReply('call-1~1')).toEqual({
      behavior: 'allow',
      updatedInput: { questions, answers },
      message: 'Which color?: [{"ownWords":"Mauve"}]\nWhich sizes?: ["S","L"]',
    });
    expect(payloadOf(decided, 'interaction_response')).toMatchObject({
      action: 'submit',
      outcome: 'answered',
      answers,
    });
  });

  it.each([
    [{ decline: true }, 'User declined to answer'],
    [{ decline: true, reason: 'Ask Bob' }, 'User declined to answer. Reason: Ask Bob'],
  ])('[INT-15] %j is a denial', (given, message) => {
    const world = worldAfter(askQuestion(), answer('call-1~1', given));
    expect(world.record('call-1~1').outcome).toBe('denied');
    expect(world.agentReply('call-1~1')).toEqual({ behavior: 'deny', message });
  });

  it('[INT-15] a refusal cannot carry an answer', () => {
    const world = worldAfter(askQuestion());
    for (const given of [{ decline: false }, { decline: true, answers: { '0': 'Red' } }]) {
      expect(refused(world.run(answer('call-1~1', given))).code).toBe('invalid_answer');
    }
    accepted(world.run(answer('call-1~1', { decline: true, reason: ' ' })));
    expect(world.record('call-1~1')).not.toHaveProperty('reason');
  });
});
