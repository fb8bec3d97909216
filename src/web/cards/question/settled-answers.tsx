import type { Interaction } from '../../../protocol/types.ts';
import { Icon } from '../../ui/icon.tsx';
import type { Question } from '../../model/cards/question-draft.ts';
import { honestProse } from '../../model/escapes.ts';

interface Props {
  readonly record: Interaction;
  readonly questions: readonly Question[];
}

/** One line for each question: what was said, or what had been said when it ended otherwise. */
export function SettledAnswers({ record, questions }: Props) {
  const { answers, partialAnswers, reason, outcome } = record;
  const said = answers ?? partialAnswers ?? {};
  return (
    <>
      {reason !== undefined && outcome === 'denied' && (
        <p class="said-why" dir="auto">
          {honestProse(reason)}
        </p>
      )}
      <ul class="answers">
        {questions.map((asked, index) => {
          const value = said[index];
          return (
            <li key={index} title={honestProse(asked.question)}>
              {answers !== undefined && <Icon name="check" />}
              <span class="chip">{honestProse(asked.header)}</span>
              <span class="unseen">{honestProse(asked.question)}</span>
              <span dir="auto">
                {value === undefined ? 'No answer' : `Selected: ${joined(value)}`}
              </span>
            </li>
          );
        })}
      </ul>
    </>
  );
}

function joined(value: string | readonly string[]): string {
  return honestProse(typeof value === 'string' ? value : value.join(', '));
}
