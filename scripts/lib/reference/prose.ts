/** Renders the Markdown subset of the descriptions: paragraphs, lists with dashes, code in backticks. */
import { ERRORS } from '../../../src/protocol/errors.ts';
import { type Content, html, type Markup } from './html.ts';

/** Links an error code to its line in the error table. */
export function inline(text: string): Content {
  return text.split('`').map((part, index) => {
    if (index % 2 === 0) return part;
    const code = html`<code>${part}</code>`;
    return Object.hasOwn(ERRORS, part) ? html`<a href="#error-${part}">${code}</a>` : code;
  });
}

export function prose(text: string): readonly Markup[] {
  return text
    .split(/\n\n+/)
    .filter((block) => block.trim() !== '')
    .map((block) => {
      if (!block.startsWith('- ')) return html`<p>${inline(block)}</p>`;
      const items = block.split('\n').map((line) => html`<li>${inline(line.slice(2))}</li>`);
      return html`<ul>${items}</ul>`;
    });
}
