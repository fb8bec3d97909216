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
