import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { FEEDBACK_CHARS } from '../../../protocol/limits.ts';
import { t } from '../../model/language.ts';
import { Literal } from '../../ui/literal.tsx';
import {
  type QuestionChoice,
  chooseOption,
  chooseOther,
  writeOther,
  answerOfChoice,
  answersIn,
  answerText,
  choiceFromText,
  choiceOf,
  firstUnanswered,
  readQuestionDraft,
  type QuestionDraft,
} from '../../model/cards/question-draft.ts';
import {
  type AskedQuestion,
  chipOf,
  type AskedQuestions,
} from '../../model/cards/question-request.ts';
import { withKey } from '../card-keys.ts';
import { shortcutOf, digitOf, isSubmit, useCardKeys } from '../use-card-keys.ts';
import { escapeInvisible } from '../../../protocol/escapes.ts';
import { useTextTarget } from '../../hooks/use-text-targets.ts';
import { Button, Icon } from '../../ui/button.tsx';
import type { CardBodyProps } from '../card-props.ts';
import { DeclineForm } from '../parts/reason-form.tsx';
import { useDraft, useReason } from '../use-draft.ts';

interface OpenQuestionsProps extends CardBodyProps {
  readonly questions: AskedQuestions;
}

/** Shows one question at a time and submits all answers together. */
export function OpenQuestions(props: OpenQuestionsProps) {
  const { answering, isLive, questions } = props;
  const { record, isBusy } = answering;
  const partialAnswers = record.partialAnswers;
  const [draft, setDraft] = useDraft(props, readQuestionDraft);
  const [at, setAt] = useState(() => firstUnanswered(draft, questions, partialAnswers));
  const [hasMoved, setMoved] = useState(false);
  const reason = useReason(props);
  const [isDeclining, setDeclining] = useState(reason.wasKept);
  const asked = questions[at] ?? questions[0];
  const choice = choiceOf(draft, at, asked, partialAnswers);
  const answers = answersIn(draft, questions, partialAnswers);
  const isElsewhere =
    partialAnswers?.[at] !== undefined &&
    answerText(answerOfChoice(choice, asked)) !== answerText(partialAnswers[at]);
  const isLast = at === questions.length - 1;
  const isAnswered = answerOfChoice(choice, asked) !== undefined;
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
  const take = (text: string) => {
    if (isBusy || !isLive) return false;
    const next = { ...draft, [at]: choiceFromText(asked, text) };
    const all = answersIn(next, questions, partialAnswers);
    setDraft(next);
    setDeclining(false);
    if (all !== undefined) void answering.give({ answers: all });
    else setAt(firstUnanswered(next, questions, partialAnswers));
    return true;
  };
  useTextTarget(props, asked.question, take);
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isLive || isBusy || isDeclining) return;
    const label = asked.options[digitOf(event) ?? -1]?.label;
    if (label !== undefined) {
      event.preventDefault();
      choose(chooseOption(choice, asked, label));
    } else if (isSubmit(event)) {
      event.preventDefault();
      go();
    }
  };
  const inside = useCardKeys(onKeyDown);
  return (
    <div ref={inside} class="card-part">
      {questions.length > 1 && (
        <StepList {...{ questions, draft, partialAnswers, at }} onGo={move} />
      )}
      <OneQuestion
        key={at}
        {...{ asked, choice, onChoose: choose }}
        isDisabled={!isLive || isBusy}
        hasChip={questions.length === 1}
        takesFocus={hasMoved}
      />
      {isElsewhere && (
        <p class="card-note">
          {t('Answered elsewhere with “{answer}”. What is chosen here replaces it.', {
            answer: escapeInvisible(answerText(partialAnswers[at])),
          })}
        </p>
      )}
      {isLive && isDeclining && (
        <DeclineForm {...{ answering, reason, isBusy }} onCancel={() => setDeclining(false)} />
      )}
      {isLive && !isDeclining && (
        <div class="card-actions">
          {at > 0 && (
            <Button kind="plain" disabled={isBusy} onClick={() => move(at - 1)}>
              {t('Back')}
            </Button>
          )}
          <Button kind="primary" isBusy={isBusy} disabled={!canGo} onClick={go}>
            {isLast ? t('Submit') : t('Next')}
          </Button>
          <Button
            kind="quiet"
            {...withKey('d', props.isInInbox)}
            disabled={isBusy}
            onClick={() => setDeclining(true)}
          >
            {t('Decline…')}
          </Button>
        </div>
      )}
    </div>
  );
}

interface StepListProps {
  readonly questions: readonly AskedQuestion[];
  readonly draft: QuestionDraft;
  readonly partialAnswers: Readonly<Record<string, string | readonly string[]>> | undefined;
  readonly at: number;
  readonly onGo: (index: number) => void;
}

/** The steps of several questions: the current one, and the answers so far. */
function StepList({ questions, draft, partialAnswers, at, onGo }: StepListProps) {
  return (
    <ol
      class="steps"
      aria-label={t('Question {number} of {count}', { number: at + 1, count: questions.length })}
    >
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
              <bdi>
                {escapeInvisible(chipOf(asked))}
                {isDone && ':'}
              </bdi>
              {isDone && <bdi class="step-answer">{escapeInvisible(answerText(answer))}</bdi>}
            </button>
          </li>
        );
      })}
    </ol>
  );
}

interface OneQuestionProps {
  readonly asked: AskedQuestion;
  readonly choice: QuestionChoice;
  readonly onChoose: (choice: QuestionChoice) => void;
  readonly isDisabled: boolean;
  /** The chip of the question is shown here; with several questions the step list shows it. */
  readonly hasChip: boolean;
  /** Moves the focus here; not for the first question of a card. */
  readonly takesFocus: boolean;
}

/** The options and a field for another answer, as radio buttons or checkboxes. */
function OneQuestion({
  asked,
  choice,
  onChoose,
  isDisabled,
  hasChip,
  takesFocus,
}: OneQuestionProps) {
  const name = useId();
  const group = useRef<HTMLFieldSetElement>(null);
  useLayoutEffect(() => {
    if (takesFocus) group.current?.querySelector<HTMLElement>('input,textarea')?.focus();
  }, []);
  const type = asked.multiSelect ? 'checkbox' : 'radio';
  const words = {
    dir: 'auto',
    'aria-label': t('Your own answer to: {question}', { question: asked.question }),
    placeholder: t('Type your answer'),
    maxLength: FEEDBACK_CHARS,
    value: choice.other,
    onInput: ({ currentTarget }: { currentTarget: HTMLInputElement | HTMLTextAreaElement }) =>
      onChoose(writeOther(choice, asked, currentTarget.value)),
  } as const;
  return (
    <fieldset ref={group} class="question" disabled={isDisabled}>
      <legend>
        {hasChip && asked.header && <bdi class="chip">{escapeInvisible(asked.header)}</bdi>}
        <span class="question-text" dir="auto">
          {escapeInvisible(asked.question)}
        </span>
        {asked.multiSelect && <span class="choice-more">{t('Choose all that apply.')}</span>}
      </legend>
      {asked.options.map(({ label, description, preview }, index) => {
        const isOn = choice.labels.includes(label);
        const about = `${name}-${index}`;
        return (
          <div key={label} class={`option${isOn ? ' on' : ''}`}>
            <label class="choice" dir="auto">
              <input
                type={type}
                name={name}
                aria-keyshortcuts={shortcutOf(index)}
                checked={isOn}
                aria-describedby={description === undefined ? undefined : about}
                onChange={() => onChoose(chooseOption(choice, asked, label))}
              />
              <span>
                <strong>{escapeInvisible(label)}</strong>
                {description !== undefined && (
                  <span id={about} class="choice-more">
                    {escapeInvisible(description)}
                  </span>
                )}
              </span>
              {index < 9 && <kbd aria-hidden="true">{index + 1}</kbd>}
            </label>
            {preview !== undefined && (
              <pre
                class="preview"
                tabIndex={0}
                aria-label={t('Preview of {label}', { label })}
                role="group"
              >
                <Literal text={preview} />
              </pre>
            )}
          </div>
        );
      })}
      {asked.options.length === 0 ? (
        <textarea rows={4} {...words} />
      ) : (
        <div class={`option${choice.isOther ? ' on' : ''}`}>
          <div class="choice">
            <input
              type={type}
              name={name}
              id={`${name}-other`}
              checked={choice.isOther}
              onChange={({ currentTarget }) =>
                onChoose(chooseOther(choice, asked, currentTarget.checked))
              }
            />
            <span class="own-words">
              <label for={`${name}-other`}>
                <strong>{t('Other')}</strong>
              </label>
              <input type="text" {...words} />
            </span>
          </div>
        </div>
      )}
    </fieldset>
  );
}
