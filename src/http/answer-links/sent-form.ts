/** What a page sends: its fields as a browser encodes them, and the answer that they stand for. */
import type { LinkAnswer } from '../../protocol/schema/answer-link.ts';
import type { Interaction, JsonObject } from '../../protocol/types.ts';
import { REASON_CHARS } from '../../protocol/limits.ts';
import { html, type Html, type HtmlValue, NOTHING } from '../../core/html.ts';

/** The texts of each field, in their order. */
export type SentForm = ReadonlyMap<string, readonly string[]>;

/** By the name of a field; the empty name is the whole form. */
export type FormErrors = Readonly<Record<string, string>>;

/** An open request on its page: after a refusal with what was typed, and what is wrong with it. */
export interface OpenView {
  readonly record: Interaction;
  readonly answers: readonly LinkAnswer[];
  readonly inputDigest: string;
  readonly sent: SentForm | undefined;
  readonly errors: FormErrors;
}

export type ReadAnswer =
  | { readonly ok: true; readonly answer: JsonObject }
  | { readonly ok: false; readonly errors: FormErrors };

const DIGEST_FIELD = 'inputDigest';
const ACT_FIELD = 'act';

export function sentText(sent: SentForm | undefined, name: string): string {
  return sent?.get(name)?.[0] ?? '';
}

/** Which of the forms of the page was sent. */
export function sentAct(sent: SentForm | undefined): string {
  return sentText(sent, ACT_FIELD);
}

export function sentDigest(sent: SentForm): string {
  return sentText(sent, DIGEST_FIELD);
}

/** Undefined where a browser and a program could read the pairs differently, or storage would change a text. */
export function readSentForm(pairs: readonly (readonly [string, string])[]): SentForm | undefined {
  const form = new Map<string, readonly string[]>();
  for (const [name, text] of pairs) {
    if (text.includes('\0') || !text.isWellFormed()) return undefined;
    // A browser sends each line break of a text field as two characters.
    form.set(name, [...(form.get(name) ?? []), text.replaceAll('\r\n', '\n')]);
  }
  const isOnce = [DIGEST_FIELD, ACT_FIELD].every((name) => form.get(name)?.length === 1);
  return isOnce ? form : undefined;
}

/** One form of the page; it is sent to the address of the page. */
export function actForm(
  { inputDigest }: Pick<OpenView, 'inputDigest'>,
  act: LinkAnswer | 'decide',
  content: HtmlValue,
): Html {
  return html`<form method="post" class="form" novalidate>
<input type="hidden" name="${DIGEST_FIELD}" value="${inputDigest}">
<input type="hidden" name="${ACT_FIELD}" value="${act}">
${content}
</form>`;
}

/** A second choice, behind a press: it opens a form of its own. */
export function moreChoice(label: string, isOpen: boolean, content: Html): Html {
  return html`<details class="link-choice"${isOpen && html` open`}><summary>${label}</summary>${content}</details>`;
}

/** A no with a reason: a denial of a tool, or a question that is declined. */
export function refusalChoice(
  view: OpenView,
  act: 'deny' | 'decline',
  label: string,
  more: Html = NOTHING,
): Html {
  const isThis = sentAct(view.sent) === act;
  return moreChoice(
    `${label}…`,
    isThis,
    actForm(
      view,
      act,
      html`<div class="reason"><label><span>Reason (optional, shown to the agent)</span>
<textarea name="reason" rows="3" maxlength="${REASON_CHARS}" dir="auto">
${isThis && sentText(view.sent, 'reason')}</textarea></label></div>
${more}
<div class="card-actions"><button type="submit" class="button danger">${label}</button></div>`,
    ),
  );
}

export function readReason(sent: SentForm): { readonly reason?: string } {
  const reason = sentText(sent, 'reason').trim();
  return reason === '' ? {} : { reason };
}

export function submitButton(label: string, kind: 'primary' | 'plain' = 'primary'): Html {
  return html`<div class="card-actions"><button type="submit" class="button ${kind}">${label}</button></div>`;
}
