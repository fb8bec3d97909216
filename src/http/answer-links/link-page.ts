/**
 * A link of an agent on the page of an answer link: its host, its whole address, and a way to open it in a new tab.
 *
 * The page runs no script, so opening and answering are two presses. Nothing opens by itself, and the foreign page gets
 * neither this window nor the address of this page.
 */
import { html, type Html } from '../../core/html.ts';
import { readLink, type ShownLink } from '../../web/model/cards/link-request.ts';
import { isLong } from '../../web/model/folding.ts';
import { agentWords, foldedText, valueView } from './request-parts.ts';
import * as form from './sent-form.ts';

export function linkPage(view: form.OpenView): Html {
  const { record, answers } = view;
  const shown = readLink(record.request);
  if (shown === undefined) {
    return valueView(record.request, `Request of ${record.toolName}`);
  }
  const { href, message } = shown;
  const isOpened = record.linkOpened === true;
  const mayOpen = answers.includes('opened');
  return html`${linkWords(message)}
${addressView(shown)}
${isOpened && html`<p class="card-note">It was opened. The agent says when it is finished; so can you.</p>`}
<div class="link-answers">
${
  mayOpen &&
  html`<p class="card-actions"><a class="button ${isOpened ? 'plain' : 'primary'}" href="${href}" target="_blank" rel="noopener noreferrer">${
    isOpened ? 'Open it again' : 'Open in a new tab'
  }</a></p>`
}
${mayOpen && !isOpened && form.actForm(view, 'opened', form.submitButton('I have opened it', 'plain'))}
${answers.includes('done') && (isOpened || !mayOpen) && form.actForm(view, 'done', form.submitButton('It is done'))}
${answers.includes('decline') && form.refusalChoice(view, 'decline', 'Decline')}
</div>`;
}

function linkWords(message: string): Html {
  if (!isLong(message)) return agentWords(message);
  return html`<figure class="agent-words"><figcaption>Agent’s explanation (not verified)</figcaption>
<div class="literal">${foldedText(message)}</div></figure>`;
}

/** The host alone decides where a person ends up, so it stands apart and first. */
export function addressView({ host, href, isPunycode }: ShownLink): Html {
  return html`<dl class="link-address"><div><dt>Leads to</dt><dd class="link-host">${host}</dd></div>
<div><dt>Whole address</dt><dd class="link-href">${href}</dd></div></dl>
${
  isPunycode &&
  html`<p class="card-note">Part of this name is written in letters of another alphabet, which may look like the name of another site.</p>`
}`;
}

export function readLinkAnswer(
  _view: Pick<form.OpenView, 'record'>,
  sent: form.SentForm,
): form.ReadAnswer {
  switch (form.sentAct(sent)) {
    case 'opened':
      return { ok: true, answer: { opened: true } };
    case 'done':
      return { ok: true, answer: { done: true } };
    case 'decline':
      return { ok: true, answer: { decline: true, ...form.readReason(sent) } };
    default:
      return { ok: false, errors: { '': 'Choose an answer.' } };
  }
}
