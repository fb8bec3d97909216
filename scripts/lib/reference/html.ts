import { ERRORS } from '../../../src/protocol/errors.ts';

/**
 * The only place where text becomes HTML. A template escapes every value that is not itself the result of a template,
 * so that no page can forget to escape.
 */
export interface Markup {
  readonly markup: string;
}

export type Content = Markup | string | number | undefined | readonly Content[];

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}

export function html(texts: TemplateStringsArray, ...contents: readonly Content[]): Markup {
  return { markup: String.raw({ raw: texts }, ...contents.map(render)) };
}

function render(content: Content): string {
  if (content === undefined) return '';
  if (typeof content === 'string' || typeof content === 'number')
    return escapeHtml(String(content));
  return 'markup' in content ? content.markup : content.map(render).join('');
}

export function separated(contents: readonly Content[], separator: Content): Content {
  return contents.flatMap((content, index) => (index === 0 ? [content] : [separator, content]));
}

/** A line of a description; an error code in it links to its line in the error table. */
export function inline(text: string): Content {
  return text.split('`').map((part, index) => {
    if (index % 2 === 0) return part;
    const code = html`<code>${part}</code>`;
    return Object.hasOwn(ERRORS, part) ? html`<a href="#error-${part}">${code}</a>` : code;
  });
}

/** Renders the Markdown subset of the descriptions: paragraphs, lists with dashes, code in backticks. */
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
