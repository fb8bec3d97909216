import type { Interaction } from '../../../protocol/types.ts';
import { Icon } from '../../ui/icon.tsx';
import type { AskedQuestion } from '../../model/cards/question-draft.ts';
import { escapeInvisible } from '../../model/escapes.ts';

interface SettledAnswersProps {
  readonly record: Interaction;
  readonly questions: readonly AskedQuestion[];
}

/** One line for each question: what was said, or what had been said when it ended otherwise. */
export function SettledAnswers({ record, questions }: SettledAnswersProps) {
  const { answers, partialAnswers, reason, outcome } = record;
  const said = answers ?? partialAnswers ?? {};
  return (
    <>
      {reason !== undefined && outcome === 'denied' && (
        <p class="said-why" dir="auto">
          {escapeInvisible(reason)}
        </p>
      )}
      <ul class="answers">
        {questions.map((asked, index) => {
          const value = said[index];
          return (
            <li key={index} title={escapeInvisible(asked.question)}>
              {answers !== undefined && <Icon name="check" />}
              <span class="chip">{escapeInvisible(asked.header)}</span>
              <span class="unseen">{escapeInvisible(asked.question)}</span>
              <span dir="auto">
                {value === undefined ? 'No answer' : `Selected: ${joinAnswers(value)}`}
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
