/**
 * Text of an agent becomes headings, lists and text, and nothing else.
 *
 * A bug here looks like a plan that runs a script, reports its reader to a stranger, or leads elsewhere than it says.
 */
import { expect, it } from 'vitest';
import { loadMarkdown, Markdown } from '../../src/web/markdown/markdown.tsx';
import { axeProblems } from '../support/web/axe.ts';
import { mount } from '../support/web/mount.ts';

await loadMarkdown();

const HOSTILE = `# Plan\u202Esteal

<script>window.pwned = 1</script>
<img src="https://evil.example/beacon.png" onerror="window.pwned = 1">
<iframe src="https://evil.example"></iframe><svg onload="window.pwned = 1"></svg>
<style>* { display: none }</style>

![beacon](https://evil.example/beacon.png) ![](https://evil.example/2.png)

[click](javascript:window.pwned=1) [data](data:text/html,<script>window.pwned=1</script>)
[vb](vbscript:x) [file](file:///etc/passwd) [relative](/docs) [here](#token=x)

[https://good.example](https://evil.example/login)

${'x'.repeat(60 * 1024)}
`;

it('[UI-11, PLN-1] runs nothing, loads nothing and hides nothing of a hostile plan', async () => {
  const requests: string[] = [];
  const observer = new PerformanceObserver((list) => {
    for (const { name } of list.getEntries()) requests.push(name);
  });
  observer.observe({ type: 'resource' });
  const { element } = mount(<Markdown text={HOSTILE} />);
  await new Promise((resolve) => setTimeout(resolve, 200));
  observer.disconnect();

  expect(Reflect.get(window, 'pwned')).toBeUndefined();
  expect(
    element.querySelectorAll('script, img, iframe, svg, style, object, embed, form'),
  ).toHaveLength(0);
  expect(requests.filter((name) => name.includes('evil'))).toEqual([]);
  expect(element.textContent).toContain('<script>window.pwned = 1</script>');
  expect(element.textContent).toContain(String.raw`Plan\u202Esteal`);
  for (const { attributes } of element.querySelectorAll('*')) {
    for (const { name, value } of attributes)
      expect(`${name}=${value}`).not.toMatch(/^(on|style)|script:/i);
  }
  expect(element.scrollWidth).toBeLessThanOrEqual(document.documentElement.clientWidth);
});

it('[UI-11] turns images into links, and says where a link leads', () => {
  const { element } = mount(<Markdown text={HOSTILE} />);
  const links = [...element.querySelectorAll('a')].map(({ href, textContent }) => [
    href,
    textContent,
  ]);
  expect(links).toEqual([
    ['https://evil.example/beacon.png', 'Image: beacon (evil.example)'],
    ['https://evil.example/2.png', 'Image: untitled (evil.example)'],
    ['https://evil.example/login', 'https://good.example (evil.example)'],
  ]);
  for (const { rel, target } of element.querySelectorAll('a')) {
    expect([rel, target]).toEqual(['noopener noreferrer', '_blank']);
  }
});

it('shows common Markdown, with headings below those of the page', async () => {
  const text = [
    '# One',
    '',
    'Some **bold**, *soft*, `code` and ~~gone~~ words, see https://example.com/a?b=1.',
    '',
    '3. three',
    '4. four',
    '',
    '- [x] done',
    '- [ ] open',
    '',
    '| a | b |',
    '|---|---|',
    '| 1 | 2 |',
    '',
    '```ts',
    'const one = <T,>(value: T) => value;',
    '```',
    '',
    '> said',
  ].join('\n');
  const { element } = mount(<Markdown text={text} />);
  const has = (query: string) => element.querySelector(query)?.textContent;
  expect(has('h3')).toBe('One');
  expect(has('strong')).toBe('bold');
  expect(has('del')).toBe('gone');
  expect(has('ol[start="3"] li')).toBe('three');
  expect(has('ul li')).toContain('☑ done');
  expect(has('td')).toBe('1');
  expect(has('pre code')).toBe('const one = <T,>(value: T) => value;\n');
  expect(has('blockquote')?.trim()).toBe('said');
  expect(has('a')).toBe('https://example.com/a?b=1');
  expect(await axeProblems(element)).toEqual([]);
});
