/** What the palette offers: what the page knows at once, and what the server finds for the typed words. */
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Transport } from '../../client/transport.ts';
import type { InboxEntry } from '../../protocol/types.ts';
import { failureText } from '../model/failure.ts';
import { inboxKeyOf } from '../model/inbox.ts';
import { rankItems, typedWords } from '../model/palette.ts';
import { hasScope, type Person } from '../model/person.ts';
import type { ListedSession } from '../model/sessions-list.ts';
import { findPageCommands } from './page-commands.ts';
import {
  deviceItems,
  openItem,
  pageItems,
  PALETTE_GROUPS,
  type PaletteContext,
  type PaletteGroup,
  type PaletteItem,
  sessionItems,
  waitingItem,
} from './palette-items.ts';

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

export function usePaletteItems(sources: PaletteSources, typed: string) {
  const { person, listed, current, focused } = sources;
  const { found, failure, isSearching } = useFound(sources, typed);
  // The buttons of the page are those from before the palette covers it.
  const commands = useMemo(
    () =>
      findPageCommands(focused).map(
        ({ group, words, about, press }, at): PaletteItem => ({
          id: `press ${at}`,
          group,
          words,
          ...(about !== undefined && { about }),
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
