/** Drafts of answers: nothing counts as an answer that no one gave, and the chosen answers are sent. */
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/protocol/types.ts';
import { question } from '../../../../src/core/kinds/question.ts';
import type { Interaction } from '../../../../src/protocol/schema/interaction.ts';
import { QuestionRequest } from '../../../../src/protocol/schema/kinds/question.ts';
import {
  answersIn,
  chooseOption,
  choiceOf,
  chooseOther,
  readQuestionDraft,
  firstUnanswered,
  type QuestionDraft,
  choiceFromText,
  writeOther,
} from '../../../../src/web/model/cards/question-draft.ts';
import { chipOf, readQuestions } from '../../../../src/web/model/cards/question-request.ts';

const label = fc.stringMatching(/^[A-Za-z0-9[\]", ]{1,6}$/).filter((text) => text.trim() !== '');
const asked = fc
  .record({
    header: fc.option(fc.stringMatching(/^[a-z]{1,40}$/), { nil: undefined }),
    question: fc.constant('Which?'),
    options: fc
      .uniqueArray(label, { maxLength: 12, selector: (text) => text.trim() })
      .map((labels) => labels.map((one) => ({ label: one }))),
    isSeveral: fc.boolean(),
  })
  .map(({ isSeveral, ...one }) => ({ ...one, multiSelect: isSeveral && one.options.length > 0 }));
const deed = fc.record({
  at: fc.nat({ max: 3 }),
  option: fc.nat({ max: 11 }),
  what: fc.constantFrom('choose', 'other', 'not other', 'write'),
  words: fc.constantFrom('', '  ', 'Mauve', ' "x", [y] '),
});

it('[UI-1, INT-10] gives only answers that the server accepts, for any order of presses', () => {
  fc.assert(
    fc.property(
      fc.array(asked, { minLength: 1, maxLength: 4 }),
      fc.array(deed, { maxLength: 30 }),
      (all, deeds) => {
        const request = QuestionRequest.parse({ questions: all });
        const questions = readQuestions(request as unknown as JsonObject);
        if (questions === undefined) throw new Error('These are questions');
        let draft: QuestionDraft = {};
        for (const { at, option, what, words } of deeds) {
          const one = questions[at];
          const wanted = one?.options[option]?.label;
          if (one === undefined || (what === 'choose' && wanted === undefined)) continue;
          const choice = choiceOf(draft, at, one, undefined);
          const next =
            what === 'choose'
              ? chooseOption(choice, one, wanted ?? '')
              : what === 'write'
                ? writeOther(choice, one, words)
                : chooseOther(choice, one, what === 'other');
          draft = { ...draft, [at]: next };
        }
        const answers = answersIn(
          readQuestionDraft(JSON.parse(JSON.stringify(draft))),
          questions,
          undefined,
        );
        const first = questions[firstUnanswered(draft, questions, undefined)];
        expect(first).toBeDefined();
        if (answers === undefined) return;
        const given = question.interpret({ request } as unknown as Interaction, { answers });
        expect(given).toMatchObject({ ok: true, outcome: 'answered' });
      },
    ),
    { numRuns: 500 },
  );
});

it('[UI-1, QST-4] shows answers of another surface, also free ones', () => {
  const questions = readQuestions({
    questions: [
      { header: 'A', question: 'A?', options: [{ label: 'x' }, { label: 'y' }], multiSelect: true },
    ],
  });
  const one = questions?.[0];
  if (questions === undefined || one === undefined) throw new Error('These are questions');
  expect(choiceOf({}, 0, one, { 0: ['y', 'z'] })).toEqual({
    labels: ['y'],
    isOther: true,
    other: 'z',
  });
  expect(answersIn({}, questions, { 0: ['y', 'z'] })).toEqual({ 0: ['y', 'z'] });
});

it('[QST-5, UI-7] reads a text as the server does', () => {
  const words = fc.constantFrom('1', '2', ' 4 ', '9', '10', '12', 'Mauve', ' "x" ', '[1]', '0');
  fc.assert(
    fc.property(asked, fc.array(words, { minLength: 1, maxLength: 3 }), (one, own) => {
      const request = QuestionRequest.parse({ questions: [one] });
      const [shown] = readQuestions(request as unknown as JsonObject) ?? [];
      if (shown === undefined) throw new Error('This is a question');
      // A form makes one answer of several free answers; the server splits them.
      const labels = one.options.map(({ label: name }) => name);
      fc.pre(!labels.some((name) => name.includes(',')));
      const text = one.multiSelect ? [...labels.slice(0, 2), own[0]].join(',') : (own[0] ?? '');
      const record = { request, current: 0 } as unknown as Interaction;
      const given = question.interpret(record, question.fromText(record, text) as JsonObject);
      const answers = answersIn({ 0: choiceFromText(shown, text) }, [shown], undefined);
      if (!('answers' in given)) return;
      const plain = (said: string | string[] = []) =>
        [said]
          .flat()
          .map((words) => words.trim())
          .toSorted();
      expect(plain(answers?.[0])).toEqual(plain(given.answers?.[0]));
    }),
  );
});

it('[UI-1] names a question without a header by its words, cut for a chip', () => {
  const named = (part: JsonObject) =>
    (readQuestions({ questions: [{ question: 'Why?', options: [], ...part }] }) ?? []).map(chipOf);
  expect(named({ header: 'H' })).toEqual(['H']);
  expect(named({})).toEqual(['Why?']);
  expect(named({ question: 'x'.repeat(41) })).toEqual([`${'x'.repeat(39)}…`]);
});
