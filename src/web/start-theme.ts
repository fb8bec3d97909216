/** Light or dark colors: those of the system, or those that the person chose on this device. */
import type { KeyValueStore } from './model/key-value-store.ts';

const THEMES = ['light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

/** Absent while the system chooses. */
const THEME_NAME = 'holdpoint.theme';

export function chosenTheme(store: KeyValueStore): Theme | undefined {
  return THEMES.find((one) => one === store.get(THEME_NAME));
}

export function startTheme(store: KeyValueStore): void {
  showTheme(chosenTheme(store));
}

export function chooseTheme(store: KeyValueStore, theme: Theme | undefined): void {
  if (theme === undefined) store.remove(THEME_NAME);
  else store.set(THEME_NAME, theme);
  showTheme(theme);
}

function showTheme(theme: Theme | undefined): void {
  const root = document.documentElement;
  if (theme === undefined) delete root.dataset['theme'];
  else root.dataset['theme'] = theme;
  // The bars of the browser around the page.
  for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')) {
    const scheme = meta.dataset['scheme'] ?? '';
    meta.media =
      theme === undefined ? `(prefers-color-scheme: ${scheme})` : mediaOf(scheme === theme);
  }
}

function mediaOf(isShown: boolean): string {
  return isShown ? 'all' : 'not all';
}
