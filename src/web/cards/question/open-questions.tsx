import { useState } from 'preact/hooks';
import { Button } from '../../components/button.tsx';
import {
  answerIn,
  answersIn,
  choiceOf,
  chosen,
  draftFrom,
  firstOpen,
  type Questions,
} from '../../model/cards/question-draft.ts';
import type { KindProps } from '../card-props.ts';
import { digitOf, isSubmit } from '../keys.ts';
import { DeclineForm } from '../parts/decline-form.tsx';
import { useCardKeys } from '../use-card-keys.ts';
import { useDraft } from '../use-draft.ts';
import { OneQuestion } from './one-question.tsx';
import { StepList } from './step-list.tsx';

interface Props extends KindProps {
  readonly questions: Questions;
}

/** One question after the other, and all of their answers at once. */
export function OpenQuestions(props: Props) {
  const { answering, isLive, questions } = props;
  const { record, isBusy } = answering;
  const said = record.partialAnswers;
  const [draft, setDraft] = useDraft(props, draftFrom);
  const [at, setAt] = useState(() => firstOpen(draft, questions, said));
  const [hasMoved, setMoved] = useState(false);
  const [isDeclining, setDeclining] = useState(false);
  const asked = questions[at] ?? questions[0];
  const choice = choiceOf(draft, at, asked, said);
  const answers = answersIn(draft, questions, said);
  const isLast = at === questions.length - 1;
  const isAnswered = answerIn(choice, asked) !== undefined;
  const canGo = isLast ? answers !== undefined : isAnswered;
  const move = (to: number) => {
    setMoved(true);
    setAt(to);
  };
  const choose = (next: typeof choice) => setDraft({ ...draft, [at]: next });
  const go = () => {
    if (!canGo || isBusy || !isLive) return;
    if (!isLast) move(at + 1);
    else if (answers !== undefined) void answering.give({ answers });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isLive || isBusy || isDeclining) return;
    const label = asked.options[digitOf(event) ?? -1]?.label;
    if (label !== undefined) {
      event.preventDefault();
      choose(chosen(choice, asked, label));
    } else if (isSubmit(event)) {
      event.preventDefault();
      go();
    }
  };
  const inside = useCardKeys(onKeyDown);
  return (
    <div ref={inside} class="card-part">
      {questions.length > 1 && <StepList {...{ questions, draft, said, at }} onGo={move} />}
      <OneQuestion
        key={at}
        {...{ asked, choice, onChoose: choose }}
        isDisabled={!isLive || isBusy}
        hasChip={questions.length === 1}
        takesFocus={hasMoved}
      />
      {isLive && isDeclining && (
        <DeclineForm answering={answering} isBusy={isBusy} onBack={() => setDeclining(false)} />
      )}
      {isLive && !isDeclining && (
        <div class="card-actions">
          {at > 0 && (
            <Button kind="plain" disabled={isBusy} onClick={() => move(at - 1)}>
              Back
            </Button>
          )}
          <Button kind="primary" isBusy={isBusy} disabled={!canGo} onClick={go}>
            {isLast ? 'Submit' : 'Next'}
          </Button>
          <Button kind="quiet" disabled={isBusy} onClick={() => setDeclining(true)}>
            Decline…
          </Button>
        </div>
      )}
    </div>
  );
}
