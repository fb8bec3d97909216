import { useId } from 'preact/hooks';
import { type Typed, toggleChoice } from '../../model/cards/form-draft.ts';
import type { Field } from '../../model/cards/form-fields.ts';
import { escapeInvisible } from '../../model/escapes.ts';
import { FieldInput } from './field-input.tsx';

export interface FieldProps {
  readonly field: Field;
  readonly typed: Typed;
  readonly error: string | undefined;
  readonly onType: (typed: Typed) => void;
}

/** A field with its name, what it wants, and what was wrong with what it had. */
export function FormField(props: FieldProps) {
  const { field, error } = props;
  const { title, description, isRequired, hint, input } = field;
  const id = useId();
  const isGroup = input.type === 'many' || input.type === 'yes-no';
  const about = {
    'aria-describedby': `${id}-about`,
    'aria-invalid': error !== undefined,
  };
  const name = (
    <>
      <bdi>{escapeInvisible(title)}</bdi>
      {!isRequired && <span class="card-hint"> optional</span>}
    </>
  );
  const more = (
    <div id={`${id}-about`} class="field-about">
      {description !== undefined && <p dir="auto">{escapeInvisible(description)}</p>}
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
      <FieldInput {...props} id={id} about={about} />
      {more}
    </div>
  );
}

interface GroupProps extends FieldProps {
  readonly name: string;
  readonly about: { readonly 'aria-describedby': string; readonly 'aria-invalid': boolean };
}

function GroupInput({ field, typed, onType, name, about }: GroupProps) {
  const { input, isRequired } = field;
  if (input.type === 'many') {
    return (
      <>
        {input.choices.map(({ value, title }) => (
          <label key={value} class="choice">
            <input
              {...about}
              type="checkbox"
              checked={typed.includes(value)}
              onChange={() => onType(toggleChoice(typed, value))}
            />
            <span dir="auto">{escapeInvisible(title)}</span>
          </label>
        ))}
      </>
    );
  }
  const choices = [['yes', 'Yes'] as const, ['no', 'No'] as const, ['', 'No answer'] as const];
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
