/**
 * Hostile and tricky Markdown: nothing in it runs, loads, hides text or blocks the page.
 *
 * A bug here looks like a plan that contacts its author, a number that reads as another, or a frozen page.
 */
import { describe, expect, it } from 'vitest';
import { loadMarkdown, Markdown } from '../../src/web/markdown/markdown.tsx';
import { axeProblems } from '../support/web/axe.ts';
import { mount } from '../support/web/mount.ts';
import { countFor } from '../support/run-length.ts';

await loadMarkdown();

const SAFE_ELEMENTS = new Set(
  'DIV P H3 H4 H5 H6 UL OL LI BLOCKQUOTE PRE CODE EM STRONG DEL HR BR SUP TABLE THEAD TBODY TR TH TD A SPAN'.split(
    ' ',
  ),
);
const SAFE_ATTRIBUTES = new Set(
  'class href target rel start tabindex role aria-label dir'.split(' '),
);

/** The short run draws a part of the large texts. */
const EVERY = countFor({ quick: 5, long: 1 });

const evil = 'https://evil.example/p';

const HOSTILE: readonly [what: string, text: string][] = [
  ['a script', `<script src="${evil}.js">window.pwned = 1</script>`],
  ['a script in a paragraph', 'a <script>window.pwned=1</script> b'],
  ['a script in capitals', '<ScRiPt>window.pwned=1</sCrIpT>'],
  ['a script in a table', '| a |\n|---|\n| <script>window.pwned=1</script> |'],
  ['a script in a heading', '# <script>window.pwned=1</script>'],
  ['a script in a link', '[<script>window.pwned=1</script>](https://a.example)'],
  ['a picture', `<img src="${evil}.png" onerror="window.pwned=1">`],
  ['a picture that does not end', `<img src="${evil}.png" onerror="window.pwned=1"`],
  ['a drawing', '<svg onload="window.pwned=1"><circle/></svg>'],
  ['a drawing with a document inside', `<svg><foreignObject><iframe src="${evil}"></iframe>`],
  [
    'formulas that hide a document',
    '<math><mtext><table><mglyph><style><img src=x onerror=window.pwned=1>',
  ],
  ['a frame', `<iframe src="${evil}" srcdoc="<script>parent.pwned=1</script>"></iframe>`],
  ['an object', `<object data="${evil}"></object><embed src="${evil}">`],
  [
    'a form',
    `<form action="${evil}"><input name=a autofocus onfocus=window.pwned=1><button>Go</button></form>`,
  ],
  ['a style', '<style>@import url(https://evil.example/p.css); * { display: none }</style>'],
  ['a style attribute', `<p style="background: url(${evil}.png)">a</p>`],
  ['a base', `<base href="${evil}">\n\n[a](b)`],
  ['a meta', `<meta http-equiv="refresh" content="0;url=${evil}">`],
  ['a link element', `<link rel="stylesheet" href="${evil}.css">`],
  ['a comment', '<!-- hidden --> <!-- --!> <script>window.pwned=1</script> -->'],
  ['CDATA', '<![CDATA[<script>window.pwned=1</script>]]>'],
  ['a processing instruction', '<?xml-stylesheet href="https://evil.example/p.css"?>'],
  ['a template', '<template><script>window.pwned=1</script></template>'],
  ['a title that ends', '</title><script>window.pwned=1</script>'],
  ['an end of the page', '</div></body></html><script>window.pwned=1</script>'],
  ['a link that runs', '[a](javascript:window.pwned=1)'],
  ['the same in capitals', '[a](JaVaScRiPt:window.pwned=1)'],
  [
    'the same with an entity',
    '[a](&#106;avascript:window.pwned=1) [b](javascript&colon;window.pwned=1)',
  ],
  ['the same with a tab inside', '[a](java&#9;script:window.pwned=1) [b](java&#10;script:x)'],
  ['the same with a blank before', '[a](<&#1; javascript:window.pwned=1>) [b](< javascript:x>)'],
  ['the same percent-encoded', '[a](%6Aavascript:window.pwned=1)'],
  ['the same by reference', '[a][r] [r]\n\n[r]: javascript:window.pwned=1 "t"'],
  ['the same as an autolink', '<javascript:window.pwned=1>'],
  ['the same as a picture', '![a](javascript:window.pwned=1)'],
  [
    'data',
    '[a](data:text/html;base64,PHNjcmlwdD4=) ![b](data:image/svg+xml,<svg/onload=alert(1)>)',
  ],
  [
    'other schemes',
    '[a](vbscript:x) [b](file:///etc/passwd) [c](blob:https://a/b) [d](view-source:x) <ftp://a.b>',
  ],
  ['an address without a scheme', '[a](//evil.example/p) [b](/docs) [c](#token=x) [d](?a) [e]()'],
  ['pictures', `![a](${evil}.png) ![b][r] [![c](${evil}.png)](${evil})\n\n[r]: ${evil}2.png "t"`],
  ['a title with an attribute', `[a](${evil} "x\\" onclick=\\"window.pwned=1")`],
  [
    'an address with an attribute',
    `[a](${evil}"onclick="window.pwned=1) <${evil}"onclick=window.pwned=1>`,
  ],
  ['a language with an attribute', '```"onclick="window.pwned=1\na\n```'],
  [
    'a footnote with a name that ends one',
    'a[^"><script>]\n\n[^"><script>]: b <img src=x onerror=window.pwned=1>',
  ],
  [
    'names of elements',
    'a[^constructor] [__proto__]\n\n[^constructor]: b\n[__proto__]: https://a.example',
  ],
  ['characters that reorder', '# a\u202Eb\n\n[\u202Ea](https://a.example/\u202Eb) `\u2066c`'],
  ['characters that control', 'a\u0000b\u0007c\u001B[31md\u009Be'],
  ['half of a pair', 'a\uD800b \uDC00'],
];

/** Repeated patterns, for which a parser may take quadratic time or more. */
const BOMBS: readonly [what: string, text: (chars: number) => string][] = [
  ['emphasis that does not end', (n) => '*a **a '.repeat(n / 7)],
  ['emphasis that does not begin', (n) => `${'a**b'.repeat(n / 4)}c* c*`],
  ['emphasis of two sorts', (n) => '*_'.repeat(n / 2)],
  ['emphasis in emphasis', (n) => `${'*_'.repeat(n / 4)}a${'_*'.repeat(n / 4)}`],
  ['brackets', (n) => '['.repeat(n)],
  ['brackets in brackets', (n) => `${'['.repeat(n / 2)}a${']'.repeat(n / 2)}`],
  ['links that do not end', (n) => '[a](b'.repeat(n / 5)],
  ['pictures that do not end', (n) => '![a](<b'.repeat(n / 7)],
  [
    'runs of backticks',
    (n) => Array.from({ length: Math.sqrt(n) }, (_, at) => `a${'`'.repeat(at)}`).join(''),
  ],
  ['quotes in quotes', (n) => `${'> '.repeat(n / 2)}a`],
  ['lists in lists', (n) => `${'- '.repeat(n / 2)}a`],
  ['both in one line', (n) => `${'> 1. '.repeat(n / 5)}a`],
  ['the same with a carriage return', (n) => `a\r${'> 1. '.repeat(n / 5)}a`],
  ['items that are empty', (n) => '-\n1. '.repeat(n / 5)],
  ['headings that are underlined', (n) => '\n='.repeat(n / 2)],
  ['quotes that go on lazily', (n) => '> 0\n0\n'.repeat(n / 6)],
  ['a table that is wide', (n) => `${'|a'.repeat(n / 4)}\n${'|-'.repeat(n / 4)}`],
  ['a table that is long', (n) => `|a|b|\n|-|-|\n${'|a|b|\n'.repeat(n / 6)}`],
  [
    'a definition used again and again',
    (n) => `[a]: ${'u'.repeat(n / 2)}\n\n${'[a]\n\n'.repeat(n / 10)}`,
  ],
  [
    'footnotes',
    (n) => Array.from({ length: n / 24 }, (_, at) => `a[^${at}]\n\n[^${at}]: b\n\n`).join(''),
  ],
  ['an address of addresses', (n) => 'www.a0_'.repeat(n / 7)],
  ['blanks at the ends of lines', (n) => '(- \n|'.repeat(n / 5)],
  ['things that look like elements', (n) => 'a <a b="'.repeat(n / 8)],
  ['things that look like comments', (n) => 'a <!-- '.repeat(n / 7)],
  ['things that look like instructions', (n) => 'a <?'.repeat(n / 4)],
];

const asWritten = (text: string) => text.replaceAll(/\s+/g, '');

describe('hostile Markdown', () => {
  it.each(HOSTILE)('[UI-11] is only letters: %s', async (_what, text) => {
    const requests: string[] = [];
    const observer = new PerformanceObserver((list) => {
      for (const { name } of list.getEntries()) requests.push(name);
    });
    observer.observe({ type: 'resource' });
    const { element } = mount(<Markdown text={text} />);
    await new Promise((resolve) => setTimeout(resolve, 20));
    observer.disconnect();
    expect(Reflect.get(window, 'pwned')).toBeUndefined();
    expect(requests.filter((name) => name.includes('evil'))).toEqual([]);
    for (const { tagName, attributes } of element.querySelectorAll('*')) {
      expect(SAFE_ELEMENTS).toContain(tagName);
      for (const { name, value } of attributes) {
        expect(SAFE_ATTRIBUTES).toContain(name);
        // The first word decides the direction; markup in the text does not.
        if (name === 'dir') expect(value).toBe('auto');
      }
    }
    for (const { href, rel, target } of element.querySelectorAll('a')) {
      expect(href).toMatch(/^(https?|mailto):/);
      expect([rel, target]).toEqual(['noopener noreferrer', '_blank']);
    }
    expect(element.textContent).not.toMatch(/[\u202A-\u202E\u2066-\u2069]|(?!\s)\p{Cc}/u);
  });

  it.each(HOSTILE.filter(([, text]) => /^<(?!javascript|ftp)/.test(text)))(
    '[UI-11] is not hidden either: %s',
    (_what, text) => {
      const { element } = mount(<Markdown text={text} />);
      const opening = /^<\S+/.exec(text)?.[0] ?? '';
      expect(element.textContent).toContain(opening);
    },
  );

  it.each(BOMBS.filter((_, index) => index % EVERY === 0))(
    '[UI-11] takes no longer than its size allows: %s',
    (_what, bombOf) => {
      const chars = 64 * 1024 - 100;
      const took = (text: string) => {
        const before = performance.now();
        const { element } = mount(<Markdown text={text} />);
        return { ms: performance.now() - before, element };
      };
      // Compared with plain text of that size on this machine; a fast machine may use the granted time.
      const floor = took('word '.repeat(chars / 5)).ms;
      const text = bombOf(chars);
      const { ms, element } = took(text);
      expect(ms).toBeLessThan(8_000 + 50 * floor);
      // Unparsed text is shown as plain text.
      if (element.querySelector('.plain') !== null)
        expect(asWritten(element.textContent)).toBe(asWritten(text));
    },
    60_000,
  );

  it('[UI-11] is not tried again with every piece of a stream', () => {
    const text = '*_'.repeat(20_000);
    const { element, show } = mount(<Markdown text={text} />);
    expect(element.querySelector('.plain')).not.toBeNull();
    const before = performance.now();
    for (let at = 0; at < 200; at += 1) show(<Markdown text={text + 'a'.repeat(at)} />);
    expect(performance.now() - before).toBeLessThan(5_000);
    show(<Markdown text="*other*" />);
    expect(element.querySelector('em')?.textContent).toBe('other');
  });
});

describe('tricky Markdown', () => {
  it.each([
    ['costs 10[^1] each\n\n[^1]: net', 'costs 10[1] each'],
    ['H[^a]2[^b]\n\n[^a]: x\n[^b]: y', 'H[1]2[2]'],
    ['twice[^1] and[^1]\n\n[^1]: y', 'twice[1] and[1]'],
  ])('[UI-11] separates a footnote mark from numbers: %j', async (text, read) => {
    const { element } = mount(<Markdown text={text} />);
    expect(element.querySelector('p')?.textContent).toBe(read);
    // The back links of footnotes do not join their text either.
    expect(element.querySelector('li')?.textContent.trim()).toMatch(/^(net|x|y)$/);
    expect(await axeProblems(element)).toEqual([]);
  });

  it.each([
    ['# A\n\n### B\n\n###### C\n\n## D\n\n# E', ['H3 A', 'H4 B', 'H5 C', 'H4 D', 'H3 E']],
    ['#### Deep\n\n## Less\n\n##### Under', ['H3 Deep', 'H3 Less', 'H4 Under']],
    [
      '# 1\n## 2\n### 3\n#### 4\n##### 5\n###### 6',
      ['H3 1', 'H4 2', 'H5 3', 'H6 4', 'H6 5', 'H6 6'],
    ],
    ['> ### In a quote\n\n# Outside', ['H3 In a quote', 'H3 Outside']],
  ])('[UI-10] nests headings without a jump: %j', (text, expected) => {
    const { element } = mount(<Markdown text={text} />);
    const shown = [...element.querySelectorAll('h1, h2, h3, h4, h5, h6')];
    expect(shown.map(({ tagName, textContent }) => `${tagName} ${textContent}`)).toEqual(expected);
  });

  it.each([
    ['**a*b**', 'strong', 'a*b'],
    ['***a** b*', 'em strong', 'a'],
    ['a_b_c', 'p', 'a_b_c'],
    ['`` ` ``', 'code', '`'],
    ['\\*a\\*', 'p', '*a*'],
    ['&lt;b&gt; &copy; &#x41;', 'p', '<b> © A'],
    ['a  \nb', 'p', 'a\nb'],
    ['- a\n\n  b\n- c', 'li', '\na\nb\n'],
    ['1) a\n2) b', 'ol li', 'a'],
    ['|a|\n|-|\n|`x\\|y`|', 'td', 'x|y'],
    ['~~~\n```\n~~~', 'pre', '```\n'],
    ['a\n===', 'h3', 'a'],
    ['[a]\n\n[A]: https://x.example', 'a', 'a (x.example)'],
    ['<https://x.example>', 'a', 'https://x.example'],
    ['see www.x.example.', 'a', 'www.x.example'],
    ['<me@x.example>', 'a', 'me@x.example'],
    ['![](https://x.example/a)', 'a', 'Image: untitled (x.example)'],
    ['- [x] a', 'li', '☑ a'],
    ['~~a~~', 'del', 'a'],
    ['<div>*a*</div>', '.markdown', '<div>*a*</div>'],
    ['a <b title="*">*c*</b>', 'p', 'a <b title="*">c</b>'],
  ])('shows %j', (text, where, read) => {
    const { element } = mount(<Markdown text={text} />);
    expect(element.querySelector(where)?.textContent).toBe(read);
  });
});
