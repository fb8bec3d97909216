import { FEEDBACK_CHARS } from '../../../protocol/limits.ts';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { t } from '../../model/language.ts';
import { Literal } from '../../ui/literal.tsx';
import {
  type QuestionChoice,
  chooseOption,
  chooseOther,
  type AskedQuestion,
  writeOther,
} from '../../model/cards/question-draft.ts';
import { shortcutOf } from '../card-keys.ts';
import { escapeInvisible } from '../../../protocol/escapes.ts';

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
export function OneQuestion({
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
            <label class="choice">
              <input
                type={type}
                name={name}
                aria-keyshortcuts={shortcutOf(index)}
                checked={isOn}
                aria-describedby={description === undefined ? undefined : about}
                onChange={() => onChoose(chooseOption(choice, asked, label))}
              />
              <span>
                <strong dir="auto">{escapeInvisible(label)}</strong>
                {description !== undefined && (
                  <span id={about} class="choice-more" dir="auto">
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
