import { Icon } from '../../ui/icon.tsx';
import {
  answerOfChoice,
  answerText,
  choiceOf,
  type AskedQuestion,
  type QuestionDraft,
} from '../../model/cards/question-draft.ts';
import { escapeInvisible } from '../../model/escapes.ts';

interface StepListProps {
  readonly questions: readonly AskedQuestion[];
  readonly draft: QuestionDraft;
  readonly partialAnswers: Readonly<Record<string, string | readonly string[]>> | undefined;
  readonly at: number;
  readonly onGo: (index: number) => void;
}

/** The steps of several questions: the current one, and the answers so far. */
export function StepList({ questions, draft, partialAnswers, at, onGo }: StepListProps) {
  return (
    <ol class="steps" aria-label={`Question ${at + 1} of ${questions.length}`}>
      {questions.map((asked, index) => {
        const answer = answerOfChoice(choiceOf(draft, index, asked, partialAnswers), asked);
        const isDone = answer !== undefined;
        return (
          <li key={index}>
            <button
              type="button"
              class={isDone ? 'done' : ''}
              aria-current={index === at ? 'step' : undefined}
              onClick={() => onGo(index)}
            >
              {isDone ? <Icon name="check" /> : <span aria-hidden="true">{index + 1}</span>}
              {escapeInvisible(asked.header)}
              {isDone && ':'}
              {isDone && <span class="step-answer">{escapeInvisible(answerText(answer))}</span>}
            </button>
          </li>
        );
      })}
    </ol>
  );
}
