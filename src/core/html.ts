/**
 * HTML as a template: every value is escaped unless it is itself a piece of such a template.
 *
 * A text of an agent reaches a page only through here. `literal` also shows the characters that a browser would not.
 */
import { visibleParts } from '../protocol/escapes.ts';

/** A piece of a page, whose text needs no more escaping. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export type HtmlValue = Html | string | number | false | undefined | readonly HtmlValue[];

export const NOTHING = new Html('');

export function html(parts: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  return new Html(parts.reduce((text, part, index) => text + writeValue(values[index - 1]) + part));
}

function writeValue(value: HtmlValue): string {
  if (value === false || value === undefined) return '';
  if (value instanceof Html) return value.text;
  if (typeof value === 'object') return value.map(writeValue).join('');
  return escapeHtml(String(value));
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}

/** The exact text, with the characters that are invisible or move others written as escapes. */
export function literal(text: string): Html {
  const parts = visibleParts(text).map(({ text: part, isEscape }) =>
    isEscape ? html`<span class="escape">${part}</span>` : part,
  );
  return html`${parts}`;
}

/** A browser drops the first line break of `pre` and `textarea`; the one that is added here is the one it drops. */
export function pre(text: string, className = ''): Html {
  return html`<pre${className !== '' && html` class="${className}"`}>
${literal(text)}</pre>`;
}
