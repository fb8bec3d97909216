/**
 * An input that is too large for its record, on the page of an answer link: how much the page leaves out, the whole as a
 * file, and what the person says to have read of it.
 */
import { type Html, html, NOTHING } from '../../core/html.ts';
import type { Interaction } from '../../protocol/types.ts';
import { byteCount } from '../../web/model/folding.ts';
import { errorText, SEEN_FIELD } from './request-parts.ts';
import { type SentForm, sentText } from './sent-form.ts';

/** The file has the address of the page with this query. */
export const DOWNLOAD = 'input';

export function largeInputPart({ wholeInput }: Pick<Interaction, 'wholeInput'>): Html {
  if (wholeInput === undefined) return NOTHING;
  const { bytes, hiddenChars, isText } = wholeInput;
  return html`<p class="card-note">${
    hiddenChars > 0 &&
    `This is a view of a large input: ${hiddenChars} characters of it are not shown here. `
  }${isText && 'It is shown as the JSON text that the agent sent.'}</p>
<p class="card-actions"><a class="button plain" href="?download=${DOWNLOAD}" download>Download all of it (${byteCount(bytes)})</a></p>`;
}

export function readingPart(error: string | undefined): Html {
  return html`<fieldset class="session-offer"${error !== undefined && html` aria-describedby="seen-error"`}><legend>Before you approve:</legend>
<label class="choice"><input type="radio" name="${SEEN_FIELD}" value="whole" required><span>I have downloaded the input and read all of it</span></label>
<label class="choice"><input type="radio" name="${SEEN_FIELD}" value="part" required><span>I approve it without reading what is not shown here</span></label>
${errorText(error, 'seen-error')}</fieldset>`;
}

/** Undefined where nothing was said. */
export function readReading(sent: SentForm): { readonly read: 'whole' | 'part' } | undefined {
  const read = sentText(sent, SEEN_FIELD);
  return read === 'whole' || read === 'part' ? { read } : undefined;
}
