/** The values of the inputs of a dialog, by the ids of their blocks. */
import * as z from '../../../protocol/schema/zod.ts';

const Option = z.object({ value: z.string() });

/** What each input element sends; an input that was left empty sends null, or no value. */
const InputValue = z.object({
  value: z.string().nullish(),
  selected_option: Option.nullish(),
  selected_options: z.array(Option).nullish(),
  selected_date: z.string().nullish(),
  selected_date_time: z.number().nullish(),
});

/** Every input has the action id `value`. */
export const InputValues = z.record(z.string(), z.object({ value: InputValue }));
export type InputValues = z.infer<typeof InputValues>;

/** A sentence for each block that needs another look. */
export type InputErrors = Readonly<Record<string, string>>;

export function readTyped(values: InputValues, block: string): string | undefined {
  return inputValue(values, block)?.value ?? undefined;
}

/** The values of the chosen options. */
export function readInputChoices(values: InputValues, block: string): string[] {
  const input = inputValue(values, block);
  const one = input?.selected_option;
  return [...(one ? [one] : []), ...(input?.selected_options ?? [])].map(({ value }) => value);
}

/** As `2026-11-19`. */
export function readDate(values: InputValues, block: string): string | undefined {
  return inputValue(values, block)?.selected_date ?? undefined;
}

/** In seconds. */
export function readDateTime(values: InputValues, block: string): number | undefined {
  return inputValue(values, block)?.selected_date_time ?? undefined;
}

function inputValue(values: InputValues, block: string) {
  return Object.hasOwn(values, block) ? values[block]?.value : undefined;
}
