/** The size that a phone waits for is counted from what the page really names. */
import { expect, it } from 'vitest';
import { firstLoad, inlineParts } from '../../scripts/lib/web/first-load.ts';

const page = `<link rel="icon" href="/assets/icon.svg">
<link rel="stylesheet" href="/assets/a.css">
<link rel="modulepreload" href="/assets/b.js">
<script type="module" src="/assets/c.js"></script>`;

it('counts style, script and what the script imports, and nothing that comes later', () => {
  const assets = { 'a.css': 'x', 'b.js': 'x', 'c.js': 'x'.repeat(10_000), 'later.js': 'x' };
  const loaded = firstLoad({ page, worker: '', assets, pictures: {}, linkStyle: '' });
  expect(loaded.map(({ name }) => name)).toEqual(['a.css', 'b.js', 'c.js']);
  expect(loaded.at(-1)?.bytes).toBeLessThan(100);
});

it('finds what the policy of the page would refuse', () => {
  expect(inlineParts(page)).toEqual([]);
  const bad = '<script>x()</script><style>b{}</style><p style="x">y</p><b onclick="x()">';
  expect(inlineParts(bad)).toHaveLength(4);
});
