import { useId } from 'preact/hooks';
import { type Typed, toggleChoice } from '../../model/cards/form-draft.ts';
import {
  areDescribed,
  type Field,
  type FieldChoice,
  type FieldInput as InputOf,
} from '../../model/cards/form-fields.ts';
import { escapeInvisible } from '../../../protocol/escapes.ts';
import { withoutBold } from '../../model/without-bold.ts';
import { t } from '../../model/language.ts';

export interface FieldProps {
  readonly field: Field;
  readonly typed: Typed;
  readonly error: string | undefined;
  readonly onType: (typed: Typed) => void;
}

/** A field with its name, its hint, and its error. */
export function FormFieldRow(props: FieldProps) {
  const { field, error } = props;
  const { title, description, isRequired, hint, input } = field;
  const id = useId();
  const isGroup =
    input.type === 'many' ||
    input.type === 'yes-no' ||
    (input.type === 'one' && areDescribed(input.choices));
  const about = {
    'aria-describedby': `${id}-about`,
    'aria-invalid': error !== undefined,
  };
  const name = (
    <>
      <bdi>{escapeInvisible(title)}</bdi>
      {!isRequired && <span class="card-hint"> {t('optional')}</span>}
    </>
  );
  const more = (
    <div id={`${id}-about`} class="field-about">
      {description !== undefined && <p dir="auto">{escapeInvisible(withoutBold(description))}</p>}
      {hint !== '' && <p>{hint}</p>}
      {error !== undefined && (
        <p class="field-error" dir="auto">
          {escapeInvisible(error)}
        </p>
      )}
    </div>
  );
  if (isGroup) {
    return (
      <fieldset class="field">
        <legend>{name}</legend>
        <GroupInput {...props} name={id} about={about} />
        {more}
      </fieldset>
    );
  }
  return (
    <div class="field">
      <label for={id}>{name}</label>
      <FieldControl {...props} id={id} about={about} />
      {more}
    </div>
  );
}

interface GroupInputProps extends FieldProps {
  readonly name: string;
  readonly about: { readonly 'aria-describedby': string; readonly 'aria-invalid': boolean };
}

function GroupInput({ field, typed, onType, name, about }: GroupInputProps) {
  const { input, isRequired } = field;
  if (input.type === 'many' || input.type === 'one') {
    const isMany = input.type === 'many';
    const none = isMany || isRequired ? [] : [{ value: '', title: t('No answer') }];
    return (
      <>
        {[...input.choices, ...none].map(({ value, title, description }: FieldChoice) => (
          <label key={value} class="choice">
            <input
              {...about}
              type={isMany ? 'checkbox' : 'radio'}
              name={isMany ? undefined : name}
              checked={isMany ? typed.includes(value) : typed === value}
              onChange={() => onType(isMany ? toggleChoice(typed, value) : value)}
            />
            <span>
              <span dir="auto">{escapeInvisible(title)}</span>
              {description !== undefined && (
                <span class="choice-more" dir="auto">
                  {escapeInvisible(withoutBold(description))}
                </span>
              )}
            </span>
          </label>
        ))}
      </>
    );
  }
  const choices = [
    ['yes', t('Yes')] as const,
    ['no', t('No')] as const,
    ['', t('No answer')] as const,
  ];
  return (
    <div class="choices-in-line">
      {choices.slice(0, isRequired ? 2 : 3).map(([value, title]) => (
        <label key={value} class="choice">
          <input
            {...about}
            type="radio"
            name={name}
            checked={typed === value}
            onChange={() => onType(value)}
          />
          <span>{title}</span>
        </label>
      ))}
    </div>
  );
}

interface FieldControlProps extends FieldProps {
  readonly id: string;
  readonly about: { readonly 'aria-describedby': string; readonly 'aria-invalid': boolean };
}

/** A text field or a list; nothing is preselected. */
function FieldControl({ field, typed, onType, id, about }: FieldControlProps) {
  const { input, isRequired } = field;
  const common = { ...about, id, required: isRequired, value: String(typed) };
  if (input.type === 'one') {
    return (
      <select {...common} onChange={({ currentTarget }) => onType(currentTarget.value)}>
        <option value="">{isRequired ? t('Choose…') : t('No answer')}</option>
        {input.choices.map(({ value, title }) => (
          <option key={value} value={value}>
            {escapeInvisible(title)}
          </option>
        ))}
      </select>
    );
  }
  const onInput = ({ currentTarget }: { currentTarget: HTMLInputElement }) =>
    onType(currentTarget.value);
  if (input.type === 'text' && (input.as === 'date' || input.as === 'datetime-local')) {
    return <input {...common} type={input.as} onInput={onInput} />;
  }
  // A number field discards invalid text; a text field keeps it, and the error explains it.
  return (
    <input {...common} type="text" dir="auto" inputMode={keyboardFor(input)} onInput={onInput} />
  );
}

function keyboardFor(input: InputOf): string {
  if (input.type === 'number') return input.isWhole ? 'numeric' : 'decimal';
  return input.type === 'text' ? input.as : 'text';
}
