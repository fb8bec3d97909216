/**
 * What the palette offers: the entries of every screen (pages, settings, colors, languages, and what a person does there), the
 * buttons of the page, and what the server finds for the typed words.
 */
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { KeyValueStore } from '../model/key-value-store.ts';
import { firstLineOf } from '../model/inbox-line.ts';
import { t } from '../model/language.ts';
import { addressOf, type Location } from '../model/location.ts';
import { type PaletteText, rankItems, typedWords } from '../model/palette.ts';
import { hasScope, type Person } from '../model/person.ts';
import { type ListedSession, sessionTitleOf } from '../model/sessions-list.ts';
import { sectionsFor } from '../model/settings-sections.ts';
import { escapeInvisible, visibleText } from '../../protocol/escapes.ts';
import type { InboxEntry } from '../../protocol/types.ts';
import type { Transport } from '../../client/transport.ts';
import { chooseLanguage, chosenLanguage, LANGUAGES } from '../start-language.ts';
import { chooseTheme, chosenTheme } from '../start-theme.ts';
import { copyText } from '../ui/copy-text.ts';
import { failureText } from '../model/failure.ts';
import { inboxKeyOf } from '../model/inbox.ts';

type PaletteGroup = 'request' | 'session' | 'waiting' | 'sessions' | 'pages' | 'device';

export interface PaletteItem extends PaletteText {
  readonly id: string;
  readonly group: PaletteGroup;
  /** Only with `isWork` awaited. */
  readonly run: () => unknown;
  /** An agent may give a choice any name, also that of a page: typing alone never marks it. */
  readonly isAgentsName?: true;
  /** The palette stays open until it is done: a failure is shown there, and so is what it resolves with. */
  readonly isWork?: true;
}

/** In the order in which they are listed. */
const PALETTE_GROUPS: readonly PaletteGroup[] = [
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

interface PaletteContext {
  readonly person: Person;
  readonly store: KeyValueStore;
  readonly transport: Pick<Transport, 'pin' | 'archive'>;
  /** The list of sessions must be read again. */
  readonly onChanged: () => void;
  readonly onGo: (location: Location) => void;
  readonly onSignOut: () => void;
}

function pageItems({ person, onGo }: PaletteContext): readonly PaletteItem[] {
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

function deviceItems({ store, onSignOut }: PaletteContext): readonly PaletteItem[] {
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
function sessionItems(
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

function waitingItem(entry: InboxEntry, { onGo }: Pick<PaletteContext, 'onGo'>): PaletteItem {
  const { sessionId, interactionId, sessionTitle, toolName } = entry;
  return {
    id: `waiting ${sessionId} ${interactionId}`,
    group: 'waiting',
    words: `${visibleText(toolName)} ${visibleText(firstLineOf(entry))}`.trim(),
    about: escapeInvisible(sessionTitle ?? sessionId),
    run: () => onGo({ page: 'inbox', session: sessionId, interaction: interactionId }),
  };
}

function openItem(entry: ListedSession, { onGo }: Pick<PaletteContext, 'onGo'>): PaletteItem {
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

/**
 * The actions of the page that the palette offers: its own buttons, found where they stand. A command presses the
 * button, so that each guard of a button counts, and an action that is not on the screen is not offered.
 */
export interface PageCommand {
  readonly group: 'request' | 'session';
  readonly words: string;
  readonly about: string | undefined;
  readonly press: () => void;
  readonly decides: boolean;
  readonly isAgentsName: boolean;
}

const ACTIONS =
  ':is(.card-actions, .choice-list) > * .button, .card-actions > .button, .team .link';
/** Buttons of the page that name themselves as commands. */
const OF_SESSION = '[data-command]';

/** `focused` has the focus before the palette takes it: of several requests on a screen, its request is meant. */
function findPageCommands(focused: Element | null): readonly PageCommand[] {
  const batch = document.querySelector<HTMLElement>('.batch-bar');
  const card = meantCard(focused);
  return [
    ...buttonsIn(batch, '.button').map((button) =>
      commandOf('request', button, t('Selected requests')),
    ),
    ...buttonsIn(card, ACTIONS).map((button) =>
      commandOf('request', button, card?.querySelector('.card-head h2')?.textContent),
    ),
    ...buttonsIn(document.body, OF_SESSION).map((button) => commandOf('session', button, '')),
  ];
}

/** The request beside the inbox, the one with the focus, or the only open one. */
function meantCard(focused: Element | null): HTMLElement | null {
  const open = document.querySelectorAll<HTMLElement>('.card.open');
  const own = focused?.closest<HTMLElement>('.card.open') ?? null;
  return own ?? (open.length === 1 ? (open[0] ?? null) : null);
}

function buttonsIn(place: HTMLElement | null, which: string): readonly HTMLElement[] {
  return [...(place?.querySelectorAll<HTMLElement>(which) ?? [])].filter(
    (button) => !button.matches(':disabled') && button.checkVisibility(),
  );
}

function commandOf(
  group: PageCommand['group'],
  button: HTMLElement,
  about: string | null | undefined,
): PageCommand {
  const words = (button.ariaLabel ?? button.textContent).trim().replaceAll(/\s+/g, ' ');
  const isAgentsName = button.closest('.choice-list') !== null;
  return {
    group,
    words,
    about: about?.trim() || undefined,
    press: () => button.click(),
    // What only opens a form ends in an ellipsis.
    decides: group === 'request' && !isAgentsName && !words.endsWith('…'),
    isAgentsName,
  };
}

export interface PaletteSources extends PaletteContext {
  readonly transport: Transport;
  /** Of the sidebar. */
  readonly listed: readonly ListedSession[];
  /** The open session. */
  readonly current: string | undefined;
  readonly focused: Element | null;
}

export interface ShownGroup {
  readonly group: PaletteGroup;
  readonly items: readonly PaletteItem[];
  /** How many fit; the others are found with more words. */
  readonly total: number;
}

/** More are not read, they are searched. */
const SHOWN_IN_GROUP = 8;
const PALETTE_PAUSE_MS = 200;

/** What the palette offers: what the page knows at once, and what the server finds for the typed words. */
export function usePaletteItems(sources: PaletteSources, typed: string) {
  const { person, listed, current, focused } = sources;
  const { found, failure, isSearching } = useFound(sources, typed);
  // The buttons of the page are those from before the palette covers it.
  const commands = useMemo(
    () =>
      findPageCommands(focused).map(
        ({ group, words, about, press, ...rest }, at): PaletteItem => ({
          id: `press ${at}`,
          group,
          words,
          ...(about !== undefined && { about }),
          ...(rest.decides && { decides: true }),
          ...(rest.isAgentsName && { isAgentsName: true }),
          run: press,
        }),
      ),
    [focused],
  );
  const groups = useMemo(() => {
    const sessions = withoutDoubles([...listed, ...found.sessions], ({ id }) => id);
    const waiting = withoutDoubles(found.waiting, inboxKeyOf);
    const all = [
      ...commands,
      ...sessionItems(
        sources,
        sessions.find(({ id }) => id === current),
      ),
      ...waiting.map((entry) => waitingItem(entry, sources)),
      ...(person.session === null ? sessions.map((entry) => openItem(entry, sources)) : []),
      ...pageItems(sources),
      ...deviceItems(sources),
    ];
    return groupItems(all, typed);
  }, [listed, found, commands, typed, current]);
  return { groups, failure, isSearching };
}

/** Without words in the fixed order of the groups; with words, the group of the best entry first. */
function groupItems(all: readonly PaletteItem[], typed: string): readonly ShownGroup[] {
  const ranked = rankItems(all, typed);
  const order =
    typedWords(typed).length === 0 ? PALETTE_GROUPS : new Set(ranked.map(({ group }) => group));
  return [...order].flatMap((group) => {
    const own = ranked.filter((item) => item.group === group);
    if (own.length === 0) return [];
    return { group, items: own.slice(0, SHOWN_IN_GROUP), total: own.length };
  });
}

interface FoundEntries {
  readonly waiting: readonly InboxEntry[];
  readonly sessions: readonly ListedSession[];
}

const NOTHING_FOUND: FoundEntries = { waiting: [], sessions: [] };

/** Requests and sessions beyond what the page has listed. What was found before stays: it may fit the next words too. */
function useFound(
  { transport, person }: Pick<PaletteSources, 'transport' | 'person'>,
  typed: string,
) {
  const [found, setFound] = useState(NOTHING_FOUND);
  const [failure, setFailure] = useState<string>();
  const [isSearching, setSearching] = useState(false);
  const mayList = mayListAll(person);
  const words = typed.trim();
  useEffect(() => {
    if (!mayList) return;
    let isWanted = true;
    const search = () =>
      Promise.all([
        transport.inbox(words === '' ? {} : { find: words }),
        words === '' ? { sessions: [] } : transport.sessions({ q: words, order: 'activity' }),
      ]).then(
        ([{ interactions }, { sessions }]) => {
          if (!isWanted) return;
          setSearching(false);
          setFailure(undefined);
          setFound((before) => ({
            waiting: withoutDoubles([...interactions, ...before.waiting], inboxKeyOf),
            sessions: withoutDoubles([...sessions, ...before.sessions], ({ id }) => id),
          }));
        },
        (cause: unknown) => {
          if (!isWanted) return;
          setSearching(false);
          setFailure(failureText(cause));
        },
      );
    setSearching(true);
    const timer = setTimeout(() => void search(), words === '' ? 0 : PALETTE_PAUSE_MS);
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [transport, mayList, words]);
  return { found, failure, isSearching };
}

function mayListAll(person: Person): boolean {
  return person.session === null && hasScope(person, 'read');
}

function withoutDoubles<Entry>(
  entries: readonly Entry[],
  keyOf: (entry: Entry) => string,
): Entry[] {
  return [
    ...new Map(entries.toReversed().map((entry) => [keyOf(entry), entry])).values(),
  ].toReversed();
}
