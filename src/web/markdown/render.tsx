/**
 * Markdown as elements of a short list, made from a document in which nothing runs.
 *
 * micromark escapes HTML and drops dangerous addresses. Its result is read by a parser that loads
 * nothing, and only what is on the list is taken over, without attributes: a gap in one of the two is
 * no gap in both. A picture becomes a link, because loading it would tell its author who reads this.
 */
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { type ComponentChildren, h } from 'preact';
import { honestProse } from '../model/escapes.ts';

const TAGS = new Set(
  'p h1 h2 h3 h4 h5 h6 ul ol li blockquote pre code em strong del hr br table thead tbody tr th td'.split(
    ' ',
  ),
);
const ADDRESS = /^(https?:|mailto:)/i;
const PARSING = { extensions: [gfm()], htmlExtensions: [gfmHtml()] };

export function renderMarkdown(text: string): ComponentChildren {
  const html = micromark(honestProse(text), PARSING);
  return childrenOf(new DOMParser().parseFromString(html, 'text/html').body);
}

function childrenOf(node: Node): ComponentChildren[] {
  return [...node.childNodes].map((child) => taken(child));
}

function taken(node: Node): ComponentChildren {
  if (node.nodeType === Node.TEXT_NODE) return node.nodeValue;
  if (!(node instanceof Element)) return null;
  const tag = node.localName;
  if (tag === 'a') return link(node.getAttribute('href'), node.textContent, childrenOf(node));
  if (tag === 'img') {
    const words = `Image: ${node.getAttribute('alt') || 'untitled'}`;
    return link(node.getAttribute('src'), words, words);
  }
  // A task of a list.
  if (tag === 'input') return node.hasAttribute('checked') ? '☑' : '☐';
  if (!TAGS.has(tag)) return childrenOf(node);
  if (tag === 'table')
    return h(
      'div',
      { class: 'scroll', tabIndex: 0, role: 'group', 'aria-label': 'Table' },
      h('table', null, childrenOf(node)),
    );
  if (tag === 'pre') return h('pre', { tabIndex: 0 }, childrenOf(node));
  if (tag === 'ol')
    return h('ol', { start: Number(node.getAttribute('start') ?? 1) }, childrenOf(node));
  // Headings of the page itself are above these.
  const shown = /^h[1-6]$/.test(tag) ? `h${Math.min(6, Number(tag[1]) + 2)}` : tag;
  return h(shown, null, ...(tag === 'hr' || tag === 'br' ? [] : [childrenOf(node)]));
}

/** Words that are not the address have its host beside them: a link must not seem to lead elsewhere. */
function link(
  address: string | null,
  words: string,
  children: ComponentChildren,
): ComponentChildren {
  if (address === null || !ADDRESS.test(address)) return children;
  const host = URL.canParse(address) ? new URL(address).host : '';
  const isPlain = host === '' || words === address || `https://${words}` === address;
  return h(
    'a',
    { href: address, target: '_blank', rel: 'noopener noreferrer' },
    children,
    !isPlain && h('span', { class: 'where' }, ` (${host})`),
  );
}
