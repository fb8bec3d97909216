/** The fields of a form in the settings: each with its label, its hint and what is wrong with it. */

interface ChoiceProps {
  readonly words: string;
  readonly isChecked: boolean;
  readonly onChange: () => void;
  readonly id?: string;
}

export function Check({ words, isChecked, onChange, id }: ChoiceProps) {
  return (
    <label>
      <input type="checkbox" checked={isChecked} onChange={onChange} {...(id && { id })} />
      {words}
    </label>
  );
}

interface RadioProps extends ChoiceProps {
  /** The same for all of one group. */
  readonly group: string;
}

export function Radio({ words, isChecked, onChange, group }: RadioProps) {
  return (
    <label>
      <input type="radio" name={group} checked={isChecked} onChange={onChange} />
      {words}
    </label>
  );
}

interface TextFieldProps {
  readonly id: string;
  readonly label: string;
  readonly hint?: string | undefined;
  readonly value: string;
  readonly problem?: string | undefined;
  readonly placeholder?: string | undefined;
  /** Not shown while it is typed, and not offered for keeping with passwords of people. */
  readonly isSecret?: boolean;
  /** Of several lines. */
  readonly isLong?: boolean;
  readonly onWrite: (text: string) => void;
}

export function TextField(props: TextFieldProps) {
  const { id, label, hint, value, problem, placeholder, isSecret = false, onWrite } = props;
  const described = problem !== undefined ? `${id}-problem` : hint && `${id}-hint`;
  const field = {
    id,
    value,
    dir: 'auto' as const,
    autoCapitalize: 'none' as const,
    spellcheck: false,
    'aria-invalid': problem !== undefined,
    ...(placeholder !== undefined && { placeholder }),
    ...(described !== undefined && { 'aria-describedby': described }),
    onInput: ({ currentTarget }: { currentTarget: { value: string } }) =>
      onWrite(currentTarget.value),
  };
  return (
    <div class="text-field">
      <label for={id}>{label}</label>
      {props.isLong === true ? (
        <textarea {...field} rows={3} autoComplete="off" />
      ) : (
        <input
          {...field}
          {...(isSecret ? ({ type: 'password' } as const) : ({ type: 'text' } as const))}
          autoComplete={isSecret ? 'new-password' : 'off'}
        />
      )}
      {problem !== undefined && (
        <p class="failure" id={`${id}-problem`}>
          {problem}
        </p>
      )}
      {hint !== undefined && (
        <p class="about" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}
