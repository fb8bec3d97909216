import type { Interaction } from '../../../protocol/types.ts';
import { chipOf, readQuestions, type AskedQuestion } from '../../model/cards/question-request.ts';
import { escapeInvisible } from '../../../protocol/escapes.ts';
import { t } from '../../model/language.ts';
import { Icon } from '../../ui/button.tsx';
import type { CardBodyProps } from '../card-props.ts';
import { OpenQuestions } from './open-questions.tsx';
import { adoptStyle } from '../../styles/adopt-style.ts';
import questionStyle from './question.css?inline';

adoptStyle(questionStyle);

/** The body of a question, open or settled. */
export function QuestionPrompt(props: CardBodyProps) {
  const { record } = props.answering;
  const questions = readQuestions(record.request);
  if (questions === undefined) return null;
  return record.status === 'open' ? (
    <OpenQuestions {...props} questions={questions} />
  ) : (
    <SettledAnswers record={record} questions={questions} />
  );
}

interface SettledAnswersProps {
  readonly record: Interaction;
  readonly questions: readonly AskedQuestion[];
}

/** One line for each question: the answer, or the partial answer when the interaction ended without one. */
function SettledAnswers({ record, questions }: SettledAnswersProps) {
  const { answers, partialAnswers, reason, outcome } = record;
  const shownAnswers = answers ?? partialAnswers ?? {};
  return (
    <>
      {reason !== undefined && outcome === 'denied' && (
        <p class="given-reason" dir="auto">
          {escapeInvisible(reason)}
        </p>
      )}
      <ul class="answers">
        {questions.map((asked, index) => {
          const value = shownAnswers[index];
          return (
            <li key={index} title={escapeInvisible(asked.question)}>
              {answers !== undefined && <Icon name="check" />}
              <bdi class="chip">{escapeInvisible(chipOf(asked))}</bdi>
              <span class="unseen">{escapeInvisible(asked.question)}</span>
              <span dir="auto">
                {value === undefined
                  ? t('No answer')
                  : t('Selected: {answer}', { answer: joinAnswers(value) })}
              </span>
            </li>
          );
        })}
      </ul>
    </>
  );
}

function joinAnswers(value: string | readonly string[]): string {
  return escapeInvisible(typeof value === 'string' ? value : value.join(', '));
}
