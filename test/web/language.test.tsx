/** Which language the page starts in, and a screen in another one. */
import { afterEach, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { SignInScreen } from '../../src/web/app/sign-in-screen.tsx';
import { ENGLISH, formatNumber, setLanguage, t, tn } from '../../src/web/model/language.ts';
import { startLanguage } from '../../src/web/start-language.ts';
import { Icon } from '../../src/web/ui/button.tsx';
import { axeProblems } from '../support/web/axe.ts';
import { memoryStore } from '../support/web/memory-store.ts';
import { mount } from '../support/web/mount.ts';
import { MIRRORED } from '../support/web/mirrored-language.ts';

const root = document.documentElement;

afterEach(() => {
  setLanguage(ENGLISH);
  root.lang = 'en';
  root.dir = 'ltr';
});

const signIn = () => (
  <SignInScreen problem={undefined} before="ada" onResume={() => {}} onToken={() => false} />
);

it.each([
  [undefined, ['de-AT', 'en'], 'de', 'Anmelden'],
  [undefined, ['fr', 'de', 'en'], 'de', 'Anmelden'],
  [undefined, ['fr-FR'], 'en', 'Sign in'],
  [undefined, [], 'en', 'Sign in'],
  ['en', ['de'], 'en', 'Sign in'],
  ['de', ['en-US'], 'de', 'Anmelden'],
  ['../x', ['de'], 'de', 'Anmelden'],
  [undefined, ['de_AT@euro'], 'de', 'Anmelden'],
])(
  '[UI-17] with the choice %s and a browser of %j the page is %s',
  async (choice, wanted, lang, words) => {
    const kept = choice === undefined ? {} : { 'holdpoint.language': choice };
    await startLanguage(memoryStore(kept), wanted);
    expect([root.lang, root.dir]).toEqual([lang, 'ltr']);
    expect(t('Sign in')).toBe(words);
  },
);

it.each([
  [['en-US@posix'], '123,456.5'],
  [['en-US@posix', 'en-IN'], '1,23,456.5'],
  [['de_DE'], '123.456,5'],
])(
  '[UI-17] writes numbers in a browser of %j, not all of whose languages are tags',
  async (wanted, written) => {
    await startLanguage(memoryStore(), wanted);
    expect(formatNumber(123_456.5)).toBe(written);
    expect(tn(2, 'one', 'other')).toBe('other');
  },
);

it('[UI-17] draws a screen in German', async () => {
  await startLanguage(memoryStore(), ['de']);
  const { element } = mount(signIn());
  await expect.element(page.getByRole('heading', { name: 'Anmelden' })).toBeVisible();
  await expect.element(page.getByRole('button', { name: 'Weiter als ada' })).toBeVisible();
  expect(element.textContent).toContain('npm run link gibt einen aus.');
});

it('[UI-17] draws it from right to left', async () => {
  setLanguage(MIRRORED);
  root.dir = 'rtl';
  const { element } = mount(signIn());
  await expect.element(page.getByRole('heading', { name: '«Sign in»' })).toBeVisible();
  const field = element.querySelector('input');
  expect(getComputedStyle(field ?? element).direction).toBe('rtl');
  expect(await axeProblems(element, { isPage: true })).toEqual([]);
});

it('[UI-17] reads code from left to right in every language', () => {
  root.dir = 'rtl';
  const { element } = mount(
    <div>
      <p dir="auto">مرحبا</p>
      <code>rm -rf ./build/*</code>
      <pre>ls</pre>
      <kbd>Enter</kbd>
      <Icon name="back" />
      <Icon name="chevron" />
      <Icon name="send" />
    </div>,
  );
  const styleOf = (selector: string) =>
    getComputedStyle(element.querySelector(selector) ?? element);
  expect(styleOf('p').direction).toBe('rtl');
  for (const code of ['code', 'pre', 'kbd']) expect(styleOf(code).direction).toBe('ltr');
  const turned = [...element.querySelectorAll('svg')].map((icon) => getComputedStyle(icon).scale);
  expect(turned).toEqual(['-1 1', '-1 1', 'none']);
});

it('[UI-17] keeps a name apart from the words around it', () => {
  setLanguage(MIRRORED);
  expect(t('By {name}', { name: 'ada' })).toBe('«By \u2068ada\u2069»');
  setLanguage(ENGLISH);
  expect(t('By {name}', { name: 'ada' })).toBe('By ada');
});
