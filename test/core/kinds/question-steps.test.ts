/**
 * One question at a time, as buttons, chat text and terminals answer. A bug would look like a click on
 * question one that lands on question two, a number taken for a label, or a step that buys time.
 */
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/protocol/json.ts';
import { answer, askQuestion, choice, COLOR, sendMessage, SIZES } from '../../support/asks.ts';
import { MINUTE, START, worldAfter } from '../../support/core-world.ts';
import { accepted, outcomeOf, payloadOf, refused } from '../../support/outcome.ts';

const THREE = askQuestion({}, [COLOR, SIZES, COLOR]);
const step = (given: JsonObject) => answer('call-1~1', given);
const FIRST = step({ question: 0, option: 0 });

describe('one step after the other', () => {
  it('[QST-4] each step but the last is logged with its position, and settles nothing', () => {
    const world = worldAfter(THREE);
    const decided = world.run(FIRST);
    expect(outcomeOf(decided)).toEqual(['interaction_update']);
    expect(payloadOf(decided, 'interaction_update')).toEqual({
      interactionId: 'call-1~1',
      toolCallId: 'call-1',
      toolName: 'AskUserQuestion',
      kind: 'question',
      change: 'step',
      current: 1,
      partialAnswers: { '0': 'Red' },
      by: { subject: 'ada', via: 'web' },
    });
    expect(world.record('call-1~1')).toMatchObject({ status: 'open', current: 1, rev: 2 });
  });

  it('[QST-4, QST-8] the last step settles the question with all answers', () => {
    const world = worldAfter(THREE, FIRST, step({ question: 1, options: [2, 0] }));
    const decided = world.run(step({ question: 2, text: 'Mauve' }));
    expect(outcomeOf(decided)).toEqual(['interaction_response', 'interaction_pending']);
    expect(world.record('call-1~1')).toMatchObject({
      outcome: 'answered',
      answers: { '0': 'Red', '1': ['L', 'S'], '2': 'Mauve' },
    });
    const requests = world.log.filter((event) => event.type === 'interaction_request');
    expect(requests).toHaveLength(1);
  });

  it.each([
    ['an earlier one', { question: 0, option: 1 }],
    ['a later one', { question: 2, option: 1 }],
  ])('[QST-5] a step for %s has moved', (_what, given) => {
    const world = worldAfter(THREE, FIRST);
    const late = refused(world.run(step(given)));
    expect(late).toMatchObject({ code: 'step_moved', details: { current: 1 } });
    expect(world.record('call-1~1').partialAnswers).toEqual({ '0': 'Red' });
  });

  it('[QST-5, INT-6] the same button pressed twice answers one step', () => {
    const world = worldAfter(askQuestion({}, [COLOR, COLOR]), FIRST);
    expect(refused(world.run(FIRST)).code).toBe('step_moved');
    expect(world.record('call-1~1').current).toBe(1);
  });

  it.each<[JsonObject]>([
    [{ question: 0 }],
    [{ question: 0, option: 3 }],
    [{ question: 0, option: -1 }],
    [{ question: 0, option: 0.5 }],
    [{ question: 0, option: '0' }],
    [{ question: 0, options: [0] }],
    [{ question: 0, text: '' }],
    [{ question: 0, text: '  ' }],
    [{ question: 3, option: 0 }],
    [{ question: 4, option: 0 }],
    [{ question: 0, option: 0, text: 'Red' }],
  ])('[QST-5, INT-10] %j is no step', (given) => {
    const world = worldAfter(THREE);
    expect(refused(world.run(step(given))).code).toBe('invalid_answer');
    expect(world.record('call-1~1').rev).toBe(1);
  });

  it.each<[JsonObject]>([[{ options: [] }], [{ options: [0, 0] }], [{ options: [3] }]])(
    '[QST-5, INT-10] %j is no choice of several',
    (given) => {
      const world = worldAfter(askQuestion({}, [SIZES]));
      expect(refused(world.run(step({ question: 0, ...given }))).code).toBe('invalid_answer');
    },
  );

  it('[QST-5] one button of a multi-select is a list with one entry', () => {
    const world = worldAfter(askQuestion({}, [SIZES]), step({ question: 0, option: 1 }));
    expect(world.record('call-1~1').answers).toEqual({ '0': ['M'] });
  });
});

describe('two surfaces at once', () => {
  it('[QST-4] a whole answer replaces the earlier steps', () => {
    const world = worldAfter(THREE, FIRST);
    world.run(step({ answers: { '0': 'Blue', '1': ['M'], '2': 'Green' } }));
    expect(world.record('call-1~1').answers).toEqual({ '0': 'Blue', '1': ['M'], '2': 'Green' });
  });

  it('[QST-4, INT-6] a step after a whole answer is too late', () => {
    const world = worldAfter(askQuestion(), answer('call-1~1', { answers: { '0': 'Blue' } }));
    expect(refused(world.run(FIRST)).code).toBe('already_settled');
    expect(world.record('call-1~1').answers).toEqual({ '0': 'Blue' });
  });

  it('[QST-4, TXT-2] buttons and chat text take turns', () => {
    const world = worldAfter(askQuestion({}, [COLOR, SIZES]), sendMessage('green-ish'));
    expect(world.record('call-1~1')).toMatchObject({ current: 1 });
    world.run(step({ question: 1, options: [0] }));
    expect(world.record('call-1~1').answers).toEqual({ '0': 'green-ish', '1': ['S'] });
  });

  it('[QST-4] a step does not move the deadline', () => {
    const world = worldAfter(THREE);
    world.advance(9 * MINUTE);
    accepted(world.run(FIRST));
    expect(world.record('call-1~1').expiresAt).toBe(START + 10 * MINUTE);
    world.advance(MINUTE);
    expect(world.record('call-1~1').outcome).toBe('expired');
  });

  it.each(['cancelled', 'expired', 'denied'])(
    '[QST-9] answers given before it was %s stay',
    (end) => {
      const world = worldAfter(THREE, FIRST);
      if (end === 'cancelled') world.run({ type: 'interactions.cancel' });
      if (end === 'expired') world.advance(10 * MINUTE);
      if (end === 'denied') world.run(step({ decline: true }));
      const record = world.record('call-1~1');
      expect(record).toMatchObject({ outcome: end, partialAnswers: { '0': 'Red' } });
      expect(record).not.toHaveProperty('answers');
    },
  );
});

describe('text as a choice', () => {
  function chosen(asked: JsonObject, text: string) {
    const world = worldAfter(askQuestion({}, [asked]));
    const decided = world.run(step({ question: 0, text }));
    return decided.ok ? world.record('call-1~1').answers?.['0'] : decided.code;
  }

  it.each([
    ['Red', 'Red'],
    [' Red ', 'Red'],
    ['red', 'red'],
    ['2', 'Green'],
    [' 3 ', 'Blue'],
    ['0', '0'],
    ['4', '4'],
    ['02', '02'],
    ['1.', '1.'],
    ['2 or 3', '2 or 3'],
    ['-1', '-1'],
  ])('[QST-5] %j chooses %j', (text, expected) => {
    expect(chosen(COLOR, text)).toBe(expected);
  });

  it.each([
    [['1', '2', '3'], '2', '2'],
    [['3', '2', '1'], '1', '1'],
    [['10', 'many'], '2', '2'],
    [['0.5', '1.5'], '1', '1'],
    [['-1', 'none'], '2', '2'],
    [['1st', '2nd'], '2', '2nd'],
  ])('[QST-5] where the options are %j, %j is %j', (labels, text, expected) => {
    expect(chosen(choice('How many?', labels), text)).toBe(expected);
  });

  it.each([
    ['S', ['S']],
    ['S, L', ['S', 'L']],
    ['1,3', ['S', 'L']],
    ['2, tiny', ['M', 'tiny']],
    ['S, 1, S', ['S']],
    ['S,, L,', ['S', 'L']],
    ['["S"]', ['["S"]']],
    [', ,', 'invalid_answer'],
  ])('[QST-5] of several, %j chooses %j', (text, expected) => {
    expect(chosen(SIZES, text)).toEqual(expected);
  });

  it.each([
    ['12', 'o11'],
    ['10', 'o9'],
    ['13', '13'],
    ['012', '012'],
  ])('[QST-5] of twelve, %j chooses %j', (text, expected) => {
    const labels = Array.from({ length: 12 }, (_, at) => `o${at}`);
    expect(chosen(choice('Which?', labels), text)).toBe(expected);
  });

  it.each(['1', '["x"]', 'Because, of course'])(
    '[QST-1, QST-5] without options %j is the answer',
    (text) => {
      expect(chosen({ question: 'Why?' }, text)).toBe(text);
    },
  );

  it('[QST-1, INT-10] a question without options takes no blank, no list and no option', () => {
    for (const given of [
      { answers: { '0': ' ' } },
      { answers: { '0': ['a'] } },
      { question: 0, option: 0 },
      { question: 0, options: [0] },
      { question: 0, text: ' ' },
    ]) {
      const world = worldAfter(askQuestion({}, [{ question: 'Why?' }]));
      expect([given, refused(world.run(step(given))).code]).toEqual([given, 'invalid_answer']);
    }
  });

  it('[QST-5] a label with a comma in it is one choice', () => {
    const asked = choice('Where?', ['Bonn, Germany', 'Bern, Switzerland'], true);
    expect(chosen(asked, 'Bern, Switzerland')).toEqual(['Bern, Switzerland']);
  });
});
