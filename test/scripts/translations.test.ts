/** The check of translations: a bug here leaves English on a German screen. */
import { expect, it } from 'vitest';
import { findTranslationFaults, readScreenTexts } from '../../scripts/lib/translations.ts';

const HEAD = `import { t, tn, tx } from '../model/language.ts';\n`;

const textsIn = (body: string) => readScreenTexts('a.tsx', HEAD + body);

function faultsOf(body: string, catalogue: Parameters<typeof findTranslationFaults>[1]) {
  return findTranslationFaults(textsIn(body).texts, catalogue);
}

it('[UI-17] finds the texts of all three functions, in elements too', () => {
  const { texts, faults } = textsIn(`
    export const words = () => t('One');
    function count(n: number) { return tn(n, '{count} left', '{count} are left'); }
    export const View = () => <b aria-label={t("Two")}>{tx('By {name}', { name: <i /> })}</b>;
  `);
  expect(faults).toEqual([]);
  expect(texts.map(({ english, isCounted }) => [english, isCounted])).toEqual([
    ['One', false],
    ['{count} are left', true],
    ['Two', false],
    ['By {name}', false],
  ]);
  expect(readScreenTexts('b.ts', `const t = (x: string) => x; t('No text');`).texts).toEqual([]);
});

it('[UI-17] refuses a text that only runs know, and one that is made too early', () => {
  const { faults } = textsIn(`
    const title = t('Early');
    const words = (a: string) => [t(a), t(\`By \${a}\`), tn(1, 'one', a), t(a ? 'x' : 'y')];
  `);
  expect(faults).toEqual([
    expect.stringContaining('a.tsx:3  "Early" is translated before'),
    expect.stringContaining('a.tsx:4  t: the text is not a literal'),
    expect.stringContaining('a.tsx:4  t: the text is not a literal'),
    expect.stringContaining('a.tsx:4  tn: the text is not a literal'),
    expect.stringContaining('a.tsx:4  t: the text is not a literal'),
  ]);
});

it.each([
  ['is missing', {}, 'No translation'],
  ['is left over', { 'By {name}': 'Von {name}', Old: 'Alt' }, 'No screen says "Old"'],
  ['lost a place', { 'By {name}': 'Von jemandem' }, 'Other places'],
  ['has another place', { 'By {name}': 'Von {Name}' }, 'Other places'],
  ['is counted for no reason', { 'By {name}': { other: 'Von {name}' } }, 'A counted text'],
])('[UI-17] finds a translation that %s', (_, catalogue, fault) => {
  expect(faultsOf(`() => t('By {name}', { name })`, catalogue)).toEqual([
    expect.stringContaining(fault),
  ]);
});

it('[UI-17] wants the forms of a counted text', () => {
  const body = `() => tn(n, 'One wait', '{count} wait')`;
  const good = { '{count} wait': { one: 'Einer wartet', other: '{count} warten' } };
  expect(faultsOf(body, good)).toEqual([]);
  expect(faultsOf(body, { '{count} wait': '{count} warten' })).toHaveLength(1);
  expect(faultsOf(body, { '{count} wait': { one: 'Einer wartet' } })).toHaveLength(1);
  expect(faultsOf(body, { '{count} wait': { other: 'Viele warten' } })).toHaveLength(1);
});
