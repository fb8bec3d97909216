import type { FieldInput as InputOf } from '../../model/cards/form-fields.ts';
import { escapeInvisible } from '../../model/escapes.ts';
import type { FieldProps } from './form-field.tsx';

interface FieldInputProps extends FieldProps {
  readonly id: string;
  readonly about: { readonly 'aria-describedby': string; readonly 'aria-invalid': boolean };
}

/** What is typed into, or chosen from a list; nothing is chosen before somebody does. */
export function FieldInput({ field, typed, onType, id, about }: FieldInputProps) {
  const { input, isRequired } = field;
  const common = { ...about, id, required: isRequired, value: String(typed) };
  if (input.type === 'one') {
    return (
      <select {...common} onChange={({ currentTarget }) => onType(currentTarget.value)}>
        <option value="">{isRequired ? 'Choose…' : 'No answer'}</option>
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
  // A number field throws away what it does not understand; here it is kept, and the error says why.
  return (
    <input {...common} type="text" dir="auto" inputMode={keyboardFor(input)} onInput={onInput} />
  );
}

function keyboardFor(input: InputOf): string {
  if (input.type === 'number') return input.isWhole ? 'numeric' : 'decimal';
  return input.type === 'text' ? input.as : 'text';
}
