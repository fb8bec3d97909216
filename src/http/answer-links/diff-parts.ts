/** Lines of a diff, and the input of a tool as a person reads it, on the page of an answer link. No script folds anything. */
import { type Html, html, literal, NOTHING, pre } from '../../core/html.ts';
import type { DiffLine } from '../../display/diff-lines.ts';
import type { DisplayPart, FileDiff, FileText, InputDisplay } from '../../display/display.ts';
import { displayInput } from '../../display/display-input.ts';
import { effectWords, hunkWords } from '../../display/display-words.ts';
import { escapeInvisible } from '../../protocol/escapes.ts';
import type { JsonObject } from '../../protocol/types.ts';
import { rawJson } from '../../web/model/folding.ts';
import { foldedText, valueView } from './request-parts.ts';

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

const FIRST_LINES = 40;
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
