import type { Interaction } from '../../../protocol/types.ts';
import type { Field } from '../../model/cards/form-fields.ts';
import { escapeInvisible } from '../../model/escapes.ts';

interface SettledFormProps {
  readonly record: Interaction;
  readonly fields: readonly Field[];
}

/** The submitted values by name, or the reason of a denial. */
export function SettledForm({ record, fields }: SettledFormProps) {
  const { values, reason, outcome } = record;
  return (
    <>
      {reason !== undefined && outcome === 'denied' && (
        <p class="said-why" dir="auto">
          {escapeInvisible(reason)}
        </p>
      )}
      {values !== undefined && fields.length > 0 && (
        <dl class="filled">
          {fields
            .filter(({ name }) => values[name] !== undefined)
            .map((field) => (
              <div key={field.name}>
                <dt dir="auto">{escapeInvisible(field.title)}</dt>
                <dd dir="auto">{escapeInvisible(shownValue(field, values[field.name]))}</dd>
              </div>
            ))}
        </dl>
      )}
    </>
  );
}

function shownValue({ input }: Field, value: unknown): string {
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  const titleOf = (one: unknown) => {
    const choices = 'choices' in input ? input.choices : [];
    return choices.find((choice) => choice.value === one)?.title ?? String(one);
  };
  return Array.isArray(value) ? value.map(titleOf).join(', ') : titleOf(value);
}
