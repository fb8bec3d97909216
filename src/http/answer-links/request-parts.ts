/**
 * What is asked, in full: the title of a request, its input as names and exact texts, the words of the agent.
 *
 * Long text is folded between its beginning and its end, and all of it is in the page. Where part of it is folded, the answer that lets the agent go on
 * takes a confirmation (`seenBox`): a page without a script cannot know what was in the window.
 */
import { escapeInvisible } from '../../protocol/escapes.ts';
import type { Interaction, JsonObject } from '../../protocol/types.ts';
import { readApproval, targetOf } from '../../web/model/cards/approval-input.ts';
import { readForm } from '../../web/model/cards/form-request.ts';
import { readPlan } from '../../web/model/cards/plan-choices.ts';
import { readQuestions } from '../../web/model/cards/question-request.ts';
import { inputPairs, isLong, rawJson, sizeOfText } from '../../web/model/folding.ts';
import { type Html, html, literal, NOTHING, pre } from '../../core/html.ts';
import type { DiffLine } from '../../display/diff-lines.ts';
import {
  type DisplayPart,
  type FileDiff,
  type FileText,
  type InputDisplay,
  effectWords,
  hunkWords,
} from '../../display/display.ts';
import { displayInput } from '../../display/display-input.ts';
import { planText } from './plan-text.ts';

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

/** The beginning and the end of a long text, and all of it behind a press: what an agent puts last runs too. */
export function foldedText(text: string, className = ''): Html {
  return foldShown(text, (part) => pre(part, className));
}

/** Shows a part of a text, which may depend on what comes before. */
type ShowPart = (part: string, before?: string) => Html;

function foldShown(text: string, show: ShowPart): Html {
  const drawn = drawBlanks(text);
  if (!isLong(drawn)) {
    const exact = drawn !== text && allOf(text, show);
    return exact === false ? show(text) : html`${show(drawn)}${exact}`;
  }
  const [start, end] = endsOf(drawn);
  const folded = drawn.length - start.length - end.length;
  return html`<div class="folded">${show(start)}
<p class="card-hint">… ${folded.toLocaleString('en-US')} characters are folded here …</p>${show(end, drawn.slice(0, -end.length))}
${allOf(text, show)}</div>`;
}

function allOf(text: string, show: ShowPart): Html {
  return html`<details><summary>Show all ${sizeOfText(text)}</summary>${show(text)}</details>`;
}

/** On a phone both ends are in the first view. */
const FOLD_START_CHARS = 320;
const FOLD_START_LINES = 8;
const FOLD_END_CHARS = 320;
const FOLD_END_LINES = 5;

/** Together less than a text that is folded has; never half of a surrogate pair. */
function endsOf(text: string): readonly [start: string, end: string] {
  const start = text.slice(0, FOLD_START_CHARS).split('\n').slice(0, FOLD_START_LINES).join('\n');
  const end = text.slice(-FOLD_END_CHARS).split('\n').slice(-FOLD_END_LINES).join('\n');
  return [start.replace(/[\uD800-\uDBFF]$/, ''), end.replace(/^[\uDC00-\uDFFF]/, '')];
}

/** So many blanks push what follows them out of the window. */
const BLANK_RUNS = / {40,}|\t{20,}|(?:\r?\n){8,}/g;
const BLANK_NAMES: Readonly<Record<string, string>> = { ' ': 'spaces', '\t': 'tabs' };

function drawBlanks(text: string): string {
  return text.replaceAll(BLANK_RUNS, (run) => {
    const name = BLANK_NAMES[run.charAt(0)];
    const count = name === undefined ? run.split('\n').length - 1 : run.length;
    const words = `[${count.toLocaleString('en-US')} ${name ?? 'line breaks'}]`;
    return name === undefined ? `\n${words}\n` : ` ${words} `;
  });
}

export function agentWords(text: string | undefined): Html {
  if (text === undefined || text === '') return NOTHING;
  return html`<figure class="agent-words"><figcaption>Agent’s explanation (not verified)</figcaption>
<blockquote dir="auto">${escapeInvisible(text)}</blockquote></figure>`;
}

export function planView(request: JsonObject): Html {
  return html`<figure class="plan"><figcaption>The agent’s plan</figcaption>
<div class="plan-text">${foldShown(readPlan(request), planText)}</div></figure>`;
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

const LINE_MARKS: Readonly<Record<DiffLine['mark'], readonly [sign: string, words: string]>> = {
  same: [' ', ''],
  gone: ['−', 'removed: '],
  new: ['+', 'added: '],
  note: ['', 'note: '],
};

export function diffLine({ mark, text }: DiffLine): Html {
  const [sign, words] = LINE_MARKS[mark];
  return html`<code class="${mark}"><span aria-hidden="true">${sign} </span><span class="unseen">${words}</span>${literal(text)}</code>`;
}

/** What the input does first, then the fields that this leaves, and all of it as JSON behind a press. */
export function inputView(toolName: string, input: JsonObject): Html {
  const label = `Input of ${toolName}`;
  const display = displayInput(toolName, input);
  if (display.parts.length === 0) return valueView(input, label);
  return html`<div class="literal" role="group" aria-label="${escapeInvisible(label)}">
${display.parts.map(partView)}${factList(display)}
${Object.keys(display.rest).length > 0 && valueView(display.rest, 'Other fields')}
<details><summary>Show raw JSON</summary>${pre(rawJson(input), 'raw')}</details></div>`;
}

function factList({ facts }: InputDisplay): Html {
  if (facts.length === 0) return NOTHING;
  return html`<p class="card-hint">${facts.map(({ name, text }) => html`${literal(name)}: ${literal(text)} `)}</p>`;
}

function partView(part: DisplayPart): Html {
  switch (part.type) {
    case 'diff':
      return html`<section class="link-diff">${fileHead(part)}${part.hunks.map(hunkView)}</section>`;
    case 'file':
      return html`<section class="link-diff">${fileHead(part)}${foldedText(part.text)}</section>`;
    case 'command':
      return html`${part.cwd !== undefined && html`<p class="card-hint">in <code>${literal(part.cwd)}</code></p>`}${
        part.runner !== undefined &&
        html`<p class="card-hint">run by <code>${literal(part.runner)}</code></p>`
      }${foldedText(part.text, 'raw')}`;
    case 'address':
      return html`<p>${part.method !== undefined && html`${literal(part.method)} `}<strong>${literal(part.host)}</strong></p>
${part.isPunycode && html`<p class="card-note">Part of the name is written in letters of another alphabet.</p>`}${pre(part.url, 'raw')}`;
  }
}

function fileHead(part: FileDiff | FileText): Html {
  const words = effectWords(part);
  const movedTo = part.type === 'diff' ? part.movedTo : undefined;
  return html`<p><code><strong>${literal(part.path ?? 'No file is named')}</strong>${
    movedTo !== undefined && html` → ${literal(movedTo)}`
  }</code>${words !== '' && html` <span class="card-hint">${words}</span>`}</p>`;
}

const FIRST_LINES = 30;
const LAST_LINES = 10;
/** Fewer lines than this are not worth a press. */
const FOLDED_ABOVE = 60;

function hunkView(hunk: FileDiff['hunks'][number]): Html {
  const words = hunkWords(hunk);
  const { lines } = hunk;
  const isFolded = lines.length > FOLDED_ABOVE;
  const all = html`<div class="diff-lines">${lines.map(diffLine)}</div>`;
  return html`${words !== '' && html`<p class="card-hint">${literal(words)}</p>`}${
    isFolded
      ? html`<div class="folded"><div class="diff-lines">${lines.slice(0, FIRST_LINES).map(diffLine)}</div>
<p class="card-hint">… ${lines.length - FIRST_LINES - LAST_LINES} lines are folded here …</p>
<div class="diff-lines">${lines.slice(-LAST_LINES).map(diffLine)}</div>
<details><summary>Show all ${lines.length} lines</summary>${all}</details></div>`
      : all
  }`;
}

/** Part of the input is behind a press. */
export function foldsInput(toolName: string, input: JsonObject): boolean {
  return displayInput(toolName, input).parts.some(
    (part) => part.type === 'diff' && part.hunks.some(({ lines }) => lines.length > FOLDED_ABOVE),
  );
}

/** Made at the first use: each takes milliseconds, and most isolates show no page. */
let shown: Intl.DateTimeFormat | undefined;
let timeFormat: Intl.DateTimeFormat | undefined;

/**
 * Times as a page without a script can show them: in UTC, because the server does not know the zone of the reader. And
 * as protocols write them.
 *
 * For example "19 Nov 2026, 08:15 UTC".
 */
export function shownTime(at: number): string {
  shown ??= new Intl.DateTimeFormat('en-GB', {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: 'UTC',
  });
  return `${shown.format(at)} UTC`;
}

/** The value of a field for date and time; empty for a text that is no time. */
export function fieldTime(text: string): string {
  const at = Date.parse(text);
  return Number.isNaN(at) ? '' : isoTime(at).slice(0, 'YYYY-MM-DDThh:mm'.length);
}

/** ISO 8601, to the second that has begun. */
export function isoTime(at: number): string {
  timeFormat ??= new Intl.DateTimeFormat('en-GB', {
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
    timeZone: 'UTC',
  });
  const part = Object.fromEntries(
    timeFormat.formatToParts(at).map(({ type, value }) => [type, value]),
  );
  const { year, month, day, hour, minute, second } = part;
  return `${year}-${month}-${day}T${hour}:${minute}:${second}Z`;
}
