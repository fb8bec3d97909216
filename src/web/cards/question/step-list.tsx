import { Icon } from '../../ui/icon.tsx';
import {
  answerIn,
  answerText,
  choiceOf,
  type Question,
  type QuestionDraft,
} from '../../model/cards/question-draft.ts';
import { honestProse } from '../../model/escapes.ts';

interface Props {
  readonly questions: readonly Question[];
  readonly draft: QuestionDraft;
  readonly said: Readonly<Record<string, string | readonly string[]>> | undefined;
  readonly at: number;
  readonly onGo: (index: number) => void;
}

/** Where one is among several questions, and which have an answer. */
export function StepList({ questions, draft, said, at, onGo }: Props) {
  return (
    <ol class="steps" aria-label={`Question ${at + 1} of ${questions.length}`}>
      {questions.map((asked, index) => {
        const answer = answerIn(choiceOf(draft, index, asked, said), asked);
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
              {honestProse(asked.header)}
              {isDone && ':'}
              {isDone && <span class="step-answer">{honestProse(answerText(answer))}</span>}
            </button>
          </li>
        );
      })}
    </ol>
  );
}
