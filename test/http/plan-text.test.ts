/**
 * A plan on the page of an answer link.
 *
 * A bug here looks like a word of the plan that the person who approves never sees, or a text of an agent that becomes
 * part of the page.
 */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { planText } from '../../src/http/answer-links/plan-text.ts';
import { visibleText } from '../../src/protocol/escapes.ts';
import { LinkPages } from '../support/http/link-pages.ts';
import { ofKind } from './linked-requests.ts';

const shown = (plan: string, before?: string) => planText(plan, before).text;

const PLAN = [
  '# Plan',
  'Move `a.ts`, **then `npm test`**.',
  '## Steps',
  '1. Read',
  '   - deeper',
  '      and more',
  '2. Write',
  '```sh',
  'rm -rf <build>  # **all**',
  '```',
].join('\n');

const MARK = '\u0301';

/** What a reader knows as marks, what browsers treat specially, and what `literal` escapes. */
const PIECES = [
  ['# ', '## ', '####### ', '- ', '* ', '+ ', '  - ', '1. ', '22) ', '> ', '\t', ' ', '   '],
  ['```', '```sh', '````', '~~~', '`', '``', '*', '**', '***', '__', '_', '~~', '---', '|'],
  ['\n', '\n\n', '\r\n', '\r', '\u00A0', '\u2028', '\u202E', '\u200B', '\uD800', MARK],
  ['a', 'word', '7', '.', '/', 'é', '漢', '👩‍💻', '\\', '&amp;', '"', "'"],
  ['<b>', '</pre>', '<!--', '![x](https://x.example/p)', '[x](javascript:y)'],
].flat();

const plans = fc
  .array(fc.constantFrom(...PIECES), { maxLength: 60 })
  .map((parts) => parts.join(''));

const ENTITIES: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&amp;': '&',
};

function textOf(page: string): string {
  return page
    .replaceAll(/<\/?(?:p|pre|ul|li|div|h\d)\b[^>]*>/g, '\n')
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/&(?:lt|gt|quot|amp|#39);/g, (entity) => ENTITIES[entity] ?? '');
}

const withoutMarks = (text: string) => text.replaceAll(/[ \t\n#*`~+-]/g, '');

describe('a plan on the page of an answer link', () => {
  it('[LINK-2] shows headings, lists, code and bold of a plan', async () => {
    const page = await new LinkPages(ofKind('plan_review', { plan: PLAN })).text();
    expect(page).toContain('<h2 dir="auto">Plan</h2>');
    expect(page).toContain(
      'Move <code>a.ts</code>, <strong>then <code>npm test</code></strong>.</p><h3 dir="auto">Steps</h3>',
    );
    expect(page).toContain(
      'dir="auto">1. Read</li><li class="depth-1" dir="auto">deeper\n and more</li>',
    );
    expect(page).toContain(
      '<p class="card-hint">sh</p><pre>\nrm -rf &lt;build&gt;  # **all**</pre></div>',
    );
  });

  it('[LINK-2] loses no character of a plan but the marks that it shows, and makes nothing of it live', () => {
    fc.assert(
      fc.property(plans, fc.option(plans, { nil: undefined }), (plan, before) => {
        const page = shown(plan, before);
        const written = visibleText(plan.replaceAll('\r\n', '\n'));
        expect(withoutMarks(textOf(page))).toBe(withoutMarks(written));
        expect(textOf(page)).not.toContain(MARK.repeat(5));
        expect(
          page.replaceAll(
            /<\/?(?:h[2-6]|p|ul|li|pre|code|strong|span|div)(?: class="[a-z\d -]+")?(?: dir="auto")?>/g,
            '',
          ),
        ).not.toMatch(/[<>]/);
      }),
      { numRuns: 1_000 },
    );
  });

  it('[LINK-2] keeps what only looks like the marks of a plan', () => {
    const texts = [
      '2**3 and 4**5',
      'delete **/build/** and src/**/*.ts',
      'clean **build/** or **dist/**',
      '__init__ and _x_',
      '#tag -x *.ts',
      '``a `b` c``',
      '[here](https://x.example)',
      '**open',
      `a**${MARK}b**`,
      '| a | b |',
      '> quoted',
    ];
    for (const text of texts) expect(textOf(shown(text)).trim()).toBe(text);
  });

  it('[LINK-2] shows both ends of a long plan as they are shown in all of it', async () => {
    const steps = Array.from({ length: 40 }, (_, at) => `step ${at}`).join('\n');
    const plan = `# Begin\n\`\`\`\n${steps}\n# a comment\n\`\`\`\n**Last**`;
    const [ends = '', all = ''] = (
      await new LinkPages(ofKind('plan_review', { plan })).text()
    ).split('<details><summary>Show all');
    for (const part of [ends, all]) {
      expect(part).toContain('<h2 dir="auto">Begin</h2>');
      expect(part).toContain('# a comment</pre><p dir="auto"><strong>Last</strong></p>');
    }
  });

  it('[LINK-2] reads a long plan in time that grows with its length', () => {
    for (const piece of [
      '**',
      '`',
      '``a',
      '``',
      '**a`b',
      '# ',
      '- ',
      '\n',
      '**`a` ',
      ' ',
      '```\n',
      '* \t',
    ]) {
      const plan = piece.repeat(200_000 / piece.length);
      expect(withoutMarks(textOf(shown(plan)))).toBe(withoutMarks(plan));
    }
  });
});
