/** The entries of the palette that are on every screen: pages, settings, colors, languages, and what a person does there. */
import type { KeyValueStore } from '../model/key-value-store.ts';
import { firstLineOf } from '../model/inbox-line.ts';
import { t } from '../model/language.ts';
import { addressOf, type Location } from '../model/location.ts';
import type { PaletteText } from '../model/palette.ts';
import { hasScope, type Person } from '../model/person.ts';
import { type ListedSession, sessionTitleOf } from '../model/sessions-list.ts';
import { sectionsFor } from '../model/settings-sections.ts';
import { escapeInvisible, visibleText } from '../../protocol/escapes.ts';
import type { InboxEntry } from '../../protocol/types.ts';
import type { Transport } from '../../client/transport.ts';
import { chooseLanguage, chosenLanguage, LANGUAGES } from '../start-language.ts';
import { chooseTheme, chosenTheme } from '../start-theme.ts';
import { copyText } from '../ui/copy-text.ts';

export type PaletteGroup = 'request' | 'session' | 'waiting' | 'sessions' | 'pages' | 'device';

export interface PaletteItem extends PaletteText {
  readonly id: string;
  readonly group: PaletteGroup;
  /** Only with `isWork` awaited. */
  readonly run: () => unknown;
  /** The palette stays open until it is done: a failure is shown there, and so is what it resolves with. */
  readonly isWork?: true;
}

/** In the order in which they are listed. */
export const PALETTE_GROUPS: readonly PaletteGroup[] = [
  'request',
  'session',
  'waiting',
  'sessions',
  'pages',
  'device',
];

export function groupWords(group: PaletteGroup): string {
  switch (group) {
    case 'request':
      return t('This request');
    case 'session':
      return t('This session');
    case 'waiting':
      return t('Waiting for you');
    case 'sessions':
      return t('Sessions');
    case 'pages':
      return t('Pages');
    case 'device':
      return t('This device');
  }
}

export interface PaletteContext {
  readonly person: Person;
  readonly store: KeyValueStore;
  readonly transport: Pick<Transport, 'pin' | 'archive'>;
  /** The list of sessions must be read again. */
  readonly onChanged: () => void;
  readonly onGo: (location: Location) => void;
  readonly onSignOut: () => void;
}

export function pageItems({ person, onGo }: PaletteContext): readonly PaletteItem[] {
  // A link to one session opens nothing else.
  if (person.session !== null) return [];
  const page = (id: string, words: string, location: Location): PaletteItem => ({
    id: `page ${id}`,
    group: 'pages',
    words,
    run: () => onGo(location),
  });
  return [
    page('inbox', t('Inbox'), { page: 'inbox' }),
    page('history', t('History'), { page: 'inbox', tab: 'history' }),
    page('new', t('New session'), {}),
    ...sectionsFor(person).map(({ id, words }) => ({
      ...page(id, words(), { settings: id }),
      about: t('Settings'),
    })),
  ];
}

export function deviceItems({ store, onSignOut }: PaletteContext): readonly PaletteItem[] {
  const theme = chosenTheme(store);
  const themes = [
    ['light', t('Light')],
    ['dark', t('Dark')],
    [undefined, t('As the system')],
  ] as const;
  const language = chosenLanguage(store);
  const item = (id: string, words: string, about: string, run: () => void): PaletteItem => ({
    id: `device ${id}`,
    group: 'device',
    words,
    about,
    run,
  });
  return [
    ...themes
      .filter(([value]) => value !== theme)
      .map(([value, words]) =>
        item(`theme ${value}`, words, t('Colors'), () => chooseTheme(store, value)),
      ),
    ...[...LANGUAGES]
      .filter(([code]) => code !== language)
      .map(([code, { name }]) =>
        item(`language ${code}`, name, t('Language'), () => chooseLanguage(store, code)),
      ),
    item('help', t('Help'), t('Keys and marks'), () => {
      document.querySelector<HTMLElement>('[data-help]')?.click();
    }),
    item('sign out', t('Sign out'), '', onSignOut),
  ];
}

/** What is done with the open session and needs no screen of its own. */
export function sessionItems(
  { person, transport, onChanged }: PaletteContext,
  entry: ListedSession | undefined,
): readonly PaletteItem[] {
  if (entry === undefined) return [];
  const { id, pinned = false, archived = false } = entry;
  const item = (name: string, words: string, run: () => Promise<unknown>): PaletteItem => ({
    id: `session ${name}`,
    group: 'session',
    words,
    run,
    isWork: true,
  });
  const items = [
    item('link', t('Copy link to this session'), async () => {
      const dialog = document.querySelector('dialog[open]');
      const isCopied = await copyText(location.origin + addressOf({ session: id }), dialog);
      if (!isCopied) throw new Error('The browser does not let the page copy');
      return t('Link copied');
    }),
  ];
  if (person.session !== null) return items;
  items.push(
    item('pin', pinned ? t('Unpin') : t('Pin for me'), () =>
      transport.pin(id, !pinned).then(onChanged),
    ),
  );
  if (hasScope(person, 'answer'))
    items.push(
      item('archive', archived ? t('Move back to the list') : t('Archive for everyone'), () =>
        transport.archive(id, !archived).then(onChanged),
      ),
    );
  return items;
}

export function waitingItem(
  entry: InboxEntry,
  { onGo }: Pick<PaletteContext, 'onGo'>,
): PaletteItem {
  const { sessionId, interactionId, sessionTitle, toolName } = entry;
  return {
    id: `waiting ${sessionId} ${interactionId}`,
    group: 'waiting',
    words: `${visibleText(toolName)} ${visibleText(firstLineOf(entry))}`.trim(),
    about: escapeInvisible(sessionTitle ?? sessionId),
    run: () => onGo({ page: 'inbox', session: sessionId, interaction: interactionId }),
  };
}

export function openItem(
  entry: ListedSession,
  { onGo }: Pick<PaletteContext, 'onGo'>,
): PaletteItem {
  const { id, lastLine, agent } = entry;
  const about = agent?.type === 'built-in' ? t('Built-in agent') : agent?.name;
  return {
    id: `open ${id}`,
    group: 'sessions',
    words: escapeInvisible(sessionTitleOf(entry)),
    about: escapeInvisible([about, lastLine].filter(Boolean).join(' · ')),
    run: () => onGo({ session: id }),
  };
}
