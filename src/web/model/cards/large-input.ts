/**
 * The words of an input that is too large for its record, for every card that shows a view of it: how much the view leaves
 * out, and what a person may say to have read of the whole before they approve it.
 */
import { hidesInput } from '../../../protocol/interaction-record.ts';
import type { Interaction } from '../../../protocol/types.ts';
import { t } from '../language.ts';

/** Nothing for a view that leaves nothing out. */
export function hiddenPartNotice(record: Pick<Interaction, 'wholeInput'>): string {
  if (!hidesInput(record)) return '';
  const hidden = record.wholeInput?.hiddenChars ?? 0;
  return `${t('This is a view of a large input: {hidden} characters of it are not shown here.', { hidden })} `;
}

/** Nothing for a view that is the same value as the input. */
export function textViewNotice({ wholeInput }: Pick<Interaction, 'wholeInput'>): string {
  return wholeInput?.isText === true
    ? `${t('It is shown as the JSON text that the agent sent.')} `
    : '';
}

export const READINGS = ['whole', 'part'] as const;

export type Reading = (typeof READINGS)[number];

export function readingWords(reading: Reading): string {
  return reading === 'whole'
    ? t('I have opened the input and read all of it')
    : t('I approve it without reading what is not shown here');
}
