/**
 * An input that is too large for its record, on the page of an answer link: how much the page leaves out, the whole as a
 * file, and what the person says to have read of it.
 */
import { type Html, html, NOTHING } from '../../core/html.ts';
import type { Interaction } from '../../protocol/types.ts';
import {
  hiddenPartNotice,
  READINGS,
  readingWords,
  type Reading,
  textViewNotice,
} from '../../web/model/cards/large-input.ts';
import { byteCount } from '../../web/model/folding.ts';
import { errorText, SEEN_FIELD } from './request-parts.ts';
import { type SentForm, sentText } from './sent-form.ts';

/** The file has the address of the page with this query. */
export const DOWNLOAD = 'input';

export function largeInputPart(record: Pick<Interaction, 'wholeInput'>): Html {
  if (record.wholeInput === undefined) return NOTHING;
  const { bytes } = record.wholeInput;
  return html`<p class="card-note">${hiddenPartNotice(record)}${textViewNotice(record)}</p>
<p class="card-actions"><a class="button plain" href="?download=${DOWNLOAD}" download>Download all of it (${byteCount(bytes)})</a></p>`;
}

export function readingPart(error: string | undefined): Html {
  return html`<fieldset class="session-offer"${error !== undefined && html` aria-describedby="seen-error"`}><legend>Before you approve:</legend>
${READINGS.map(
  (reading) =>
    html`<label class="choice"><input type="radio" name="${SEEN_FIELD}" value="${reading}" required><span>${readingWords(reading)}</span></label>`,
)}
${errorText(error, 'seen-error')}</fieldset>`;
}

/** Undefined where nothing was said. */
export function readReading(sent: SentForm): { readonly read: Reading } | undefined {
  const read = sentText(sent, SEEN_FIELD);
  const said = READINGS.find((reading) => reading === read);
  return said && { read: said };
}
