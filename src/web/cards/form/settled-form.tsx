import type { Interaction } from '../../../protocol/types.ts';
import type { Field } from '../../model/cards/form-fields.ts';
import { honestProse } from '../../model/escapes.ts';

interface Props {
  readonly record: Interaction;
  readonly fields: readonly Field[];
}

/** What was filled in, name and value; of what ended otherwise, the reason. */
export function SettledForm({ record, fields }: Props) {
  const { values, reason, outcome } = record;
  return (
    <>
      {reason !== undefined && outcome === 'denied' && (
        <p class="said-why" dir="auto">
          {honestProse(reason)}
        </p>
      )}
      {values !== undefined && fields.length > 0 && (
        <dl class="filled">
          {fields
            .filter(({ name }) => values[name] !== undefined)
            .map((field) => (
              <div key={field.name}>
                <dt dir="auto">{honestProse(field.title)}</dt>
                <dd dir="auto">{honestProse(shown(field, values[field.name]))}</dd>
              </div>
            ))}
        </dl>
      )}
    </>
  );
}

function shown({ input }: Field, value: unknown): string {
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  const titleOf = (one: unknown) => {
    const choices = 'choices' in input ? input.choices : [];
    return choices.find((choice) => choice.value === one)?.title ?? String(one);
  };
  return Array.isArray(value) ? value.map(titleOf).join(', ') : titleOf(value);
}
