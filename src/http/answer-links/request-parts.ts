/**
 * What is asked, in full: the title of a request, its input as names and exact texts, the words of the agent.
 *
 * Long text is folded, and all of it is in the page. Where part of it is folded, the answer that lets the agent go on
 * takes a confirmation (`seenBox`): a page without a script cannot know what was in the window.
 */
import { escapeInvisible } from '../../protocol/escapes.ts';
import type { Interaction, JsonObject } from '../../protocol/types.ts';
import { readApproval, targetOf } from '../../web/model/cards/approval-input.ts';
import { readForm } from '../../web/model/cards/form-request.ts';
import { readPlan } from '../../web/model/cards/plan-choices.ts';
import { readQuestions } from '../../web/model/cards/question-draft.ts';
import { inputPairs, isLong, rawJson, sizeOfText, startOfText } from '../../web/model/folding.ts';
import { type Html, html, literal, NOTHING, pre } from '../../core/html.ts';

const KIND_NAMES: Readonly<Record<string, string>> = {
  approval: 'Approval',
  question: 'Question',
  plan_review: 'Plan',
  form: 'Form',
  link: 'Link',
};

export function nameKind({ kind }: Pick<Interaction, 'kind'>): string {
  return KIND_NAMES[kind] ?? 'Request';
}

/** In words alone, for the title of the page. */
export function titleText(record: Interaction): string {
  const { kind, toolName, request } = record;
  switch (kind) {
    case 'question': {
      const count = readQuestions(request)?.length ?? 0;
      return count === 1 ? 'The agent has a question' : `The agent has ${count} questions`;
    }
    case 'plan_review':
      return 'Review the plan';
    case 'form': {
      const form = readForm(request);
      return escapeInvisible(form?.title ?? form?.schema.title ?? toolName);
    }
    case 'link':
      return escapeInvisible(typeof request.title === 'string' ? request.title : 'Open a link');
    default:
      return escapeInvisible(toolName);
  }
}

export function requestTitle(record: Interaction): Html {
  if (record.kind !== 'approval') return html`<bdi>${titleText(record)}</bdi>`;
  const target = targetOf(readApproval(record.request)?.input ?? {});
  return html`<code class="tool-name">${literal(record.toolName)}</code>${
    target !== undefined && html` <code class="tool-target">${literal(target)}</code>`
  }`;
}

/** A value by its names, or as JSON where it has none. */
export function valueView(value: unknown, label: string): Html {
  const pairs = inputPairs(value);
  const body =
    pairs === undefined
      ? foldedText(rawJson(value), 'raw')
      : html`<dl class="pairs">${pairs.map(
          ({ name, text }) =>
            html`<div class="pair"><dt>${literal(name)}</dt><dd>${foldedText(text)}</dd></div>`,
        )}</dl>`;
  return html`<div class="literal" role="group" aria-label="${escapeInvisible(label)}">${body}</div>`;
}

/** The beginning of a long text, and all of it behind a press. */
export function foldedText(text: string, className = ''): Html {
  if (!isLong(text)) return pre(text, className);
  return html`<div class="folded">${pre(startOfText(text), `${className} clipped`.trim())}
<details><summary>Show all ${sizeOfText(text)}</summary>${pre(text, className)}</details></div>`;
}

export function agentWords(text: string | undefined): Html {
  if (text === undefined || text === '') return NOTHING;
  return html`<figure class="agent-words"><figcaption>Agent’s explanation (not verified)</figcaption>
<blockquote dir="auto">${escapeInvisible(text)}</blockquote></figure>`;
}

export function planView(request: JsonObject): Html {
  return html`<figure class="plan"><figcaption>The agent’s plan</figcaption>
<div class="plan-text">${foldedText(readPlan(request), 'plan-lines')}</div></figure>`;
}

export const SEEN_FIELD = 'seen';

/** The confirmation that folded text was unfolded and read. */
export function seenBox(what: string, error: string | undefined): Html {
  return html`<div class="field"><label class="choice"><input type="checkbox" name="${SEEN_FIELD}" value="yes" required${errorMarks(
    error,
    'seen-error',
  )}><span>I have read all of the ${what}</span></label>${errorText(error, 'seen-error')}</div>`;
}

/** For an input: that it is wrong, and where the reason stands. The first one gets the focus. */
function errorMarks(error: string | undefined, id: string): Html {
  if (error === undefined) return NOTHING;
  return html` aria-invalid="true" aria-describedby="${id}"`;
}

export function errorText(error: string | undefined, id: string): Html {
  if (error === undefined) return NOTHING;
  return html`<p class="field-error" id="${id}" dir="auto">${escapeInvisible(error)}</p>`;
}
