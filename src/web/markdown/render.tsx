/**
 * Renders Markdown as elements of a short list, from a document in which nothing runs.
 *
 * micromark escapes HTML and drops dangerous addresses. A parser that loads nothing reads its result, and only listed
 * elements are copied, without attributes: a gap in one step is not a gap in both. An image becomes a link, because
 * loading it would tell its author who reads the text.
 */
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { type ComponentChildren, h } from 'preact';
import { escapeInvisible } from '../../protocol/escapes.ts';
import { t } from '../model/language.ts';
import { adoptStyle } from '../styles/adopt-style.ts';
import markdownStyle from '../styles/markdown.css?inline';
import { deadline, isCostly, TooSlow } from './parsing-limits.ts';

adoptStyle(markdownStyle);

const TAGS = new Set(
  'p ul ol li blockquote pre code em strong del hr br table thead tbody tr th td'.split(' '),
);
const SAFE_LINK = /^(https?:|mailto:)/i;
const SYNTAX = gfm();
const HTML = [gfmHtml()];
/** A delay that people hardly notice, and far more than an honest text needs. */
const BUDGET_MS = 500;

/** Elements with text of their own take the direction of its first word. */
const DIRECTED = new Set(['p', 'ul', 'td', 'th']);
const AUTO = { dir: 'auto' } as const;

/** Undefined: parsing would keep the page busy for too long. */
export function renderMarkdown(text: string): ComponentChildren {
  // The parser treats a carriage return as a line end too.
  const prose = escapeInvisible(text).replaceAll(/\r\n?/g, '\n');
  if (isCostly(prose)) return undefined;
  const html = parseInTime(() =>
    micromark(prose, { extensions: [SYNTAX, deadline(BUDGET_MS)], htmlExtensions: HTML }),
  );
  if (html === undefined) return undefined;
  const { body } = new DOMParser().parseFromString(html, 'text/html');
  return childrenOf(body, nestedHeadings());
}

function parseInTime(parse: () => string): string | undefined {
  try {
    return parse();
  } catch (cause) {
    if (cause instanceof TooSlow) return undefined;
    throw cause;
  }
}

/** Maps the written level of a heading to its element. */
type Headings = (level: number) => string;

/** The page has higher headings of its own, and each heading is one level below its parent. */
function nestedHeadings(): Headings {
  const above: number[] = [];
  return (level) => {
    while ((above.at(-1) ?? 0) >= level) above.pop();
    above.push(level);
    return `h${Math.min(6, above.length + 2)}`;
  };
}

function childrenOf(node: Node, headings: Headings): ComponentChildren[] {
  return [...node.childNodes].map((child) => renderNode(child, headings));
}

function renderNode(node: Node, headings: Headings): ComponentChildren {
  if (node.nodeType === Node.TEXT_NODE) return node.nodeValue;
  if (!(node instanceof Element)) return null;
  const tag = node.localName;
  // A footnote mark; without brackets "10[^1]" would read as 101.
  if (tag === 'sup') return h('sup', null, `[${node.textContent}]`);
  if (node.hasAttribute('data-footnote-backref')) return null;
  const children = childrenOf(node, headings);
  if (tag === 'a') return renderLink(node.getAttribute('href'), node.textContent, children);
  if (tag === 'img') {
    const words = t('Image: {name}', { name: node.getAttribute('alt') || t('untitled') });
    return renderLink(node.getAttribute('src'), words, words);
  }
  // A task list item.
  if (tag === 'input') return node.hasAttribute('checked') ? '☑' : '☐';
  if (/^h[1-6]$/.test(tag)) return h(headings(Number(tag[1])), AUTO, children);
  if (!TAGS.has(tag)) return children;
  if (tag === 'hr' || tag === 'br') return h(tag, null);
  if (tag === 'pre') return h('pre', { tabIndex: 0 }, children);
  if (tag === 'ol')
    return h('ol', { ...AUTO, start: Number(node.getAttribute('start') ?? 1) }, children);
  if (tag !== 'table') return h(tag, DIRECTED.has(tag) ? AUTO : null, children);
  return h(
    'div',
    { class: 'scroll', tabIndex: 0, role: 'group', 'aria-label': t('Table') },
    h('table', null, children),
  );
}

/** A link text that is not the address is followed by the host: a link must not pretend to lead elsewhere. */
function renderLink(
  address: string | null,
  words: string,
  children: ComponentChildren,
): ComponentChildren {
  if (address === null || !SAFE_LINK.test(address)) return children;
  const host = URL.canParse(address) ? new URL(address).host : '';
  const isPlain = host === '' || [words, `https://${words}`, `http://${words}`].includes(address);
  return h(
    'a',
    { href: address, target: '_blank', rel: 'noopener noreferrer' },
    children,
    !isPlain && h('span', { class: 'where' }, ` (${host})`),
  );
}
