/** Colors and language of one device. A bug here leaves a person in a language that they cannot read. */
import { afterEach, describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { Appearance } from '../../../src/web/settings/appearance.tsx';
import { startTheme } from '../../../src/web/start-theme.ts';
import { axeProblems } from '../../support/web/axe.ts';
import { memoryStore } from '../../support/web/memory-store.ts';
import '../../../src/web/styles/settings.css';
import '../../../src/web/styles/sheet.css';
import { mount } from '../../support/web/mount.ts';

const root = document.documentElement;
const radio = (name: string) => page.getByRole('radio', { name, exact: true });

afterEach(() => startTheme(memoryStore()));

function show(kept: Record<string, string> = {}) {
  const store = memoryStore(kept);
  const languages: (string | undefined)[] = [];
  const { element } = mount(
    <main>
      <h1>Settings</h1>
      <Appearance store={store} onLanguage={(_, code) => languages.push(code)} />
    </main>,
  );
  return { store, languages, element };
}

describe('[UI-18] the colors', () => {
  it('are those of the system, until a person chooses, and again', async () => {
    const { store, element } = show();
    await expect.element(page.getByRole('radio', { name: 'As the system' })).toBeChecked();
    await radio('Dark').click();
    expect(getComputedStyle(root).colorScheme).toBe('dark');
    expect(store.get('holdpoint.theme')).toBe('dark');
    await radio('Light').click();
    expect(getComputedStyle(root).colorScheme).toBe('light');
    await page.getByRole('radio', { name: 'As the system' }).click();
    expect(getComputedStyle(root).colorScheme).toBe('light dark');
    expect(store.get('holdpoint.theme')).toBeUndefined();
    expect(await axeProblems(element, { isPage: true })).toEqual([]);
  });

  it('are there from the start, with the bars of the browser', () => {
    const metas = ['light', 'dark'].map((scheme) => {
      const meta = document.createElement('meta');
      meta.name = 'theme-color';
      meta.dataset['scheme'] = scheme;
      document.head.append(meta);
      return meta;
    });
    startTheme(memoryStore({ 'holdpoint.theme': 'dark' }));
    expect(metas.map(({ media }) => media)).toEqual(['not all', 'all']);
    startTheme(memoryStore({ 'holdpoint.theme': 'purple' }));
    expect(metas[1]?.media).toBe('(prefers-color-scheme: dark)');
    expect(root.dataset['theme']).toBeUndefined();
    for (const meta of metas) meta.remove();
  });
});

it('[UI-18] the language is that of the browser, or one that a person chose', async () => {
  const { languages } = show({ 'holdpoint.language': 'de' });
  await expect.element(radio('Deutsch')).toBeChecked();
  await radio('English').click();
  await page.getByRole('radio', { name: 'As the browser' }).click();
  expect(languages).toEqual(['en', undefined]);
});
