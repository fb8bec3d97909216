import { useEffect, useState } from 'preact/hooks';
import type { Transport } from '../../client/transport.ts';
import { useNow, type ServerClock } from '../clock.ts';
import type { SessionsFeed } from '../hooks/use-sessions.ts';
import type { KeyValueStore } from '../model/key-value-store.ts';
import { kindAskedBy } from '../model/asked-kinds.ts';
import { askedWords } from '../model/inbox-line.ts';
import { t } from '../model/language.ts';
import type { Person } from '../model/person.ts';
import { isUnread, loadSeen, noteSeen } from '../model/seen-sessions.ts';
import type { ListedSession, SessionsList } from '../model/sessions-list.ts';
import { MINUTE_MS } from '../model/times.ts';
import { Button } from '../ui/button.tsx';
import { SessionMenu } from './session-menu.tsx';
import { SessionRow } from './session-row.tsx';

export interface SessionListProps {
  readonly sessions: SessionsFeed;
  readonly current: string | undefined;
  readonly clock: ServerClock;
  readonly store: KeyValueStore;
  readonly person: Person;
  readonly transport: Transport;
  readonly onDeleted: (sessionId: string) => void;
}

/** The sessions of the workspace: what the person pinned, then the last active first; archived ones behind a filter. */
export function SessionList(props: SessionListProps) {
  const { sessions, current, clock, store, person, transport, onDeleted } = props;
  const { list, asked, failure, filter, setFilter, more, refresh, forget } = sessions;
  const now = useNow(clock, MINUTE_MS);
  const [shown, setShown] = useState<ListedSession>();
  const seen = loadSeen(store, now);
  useEffect(() => {
    const entry = list.entries.find(({ id }) => id === current);
    if (entry !== undefined) noteSeen(store, entry, clock.now());
  }, [current, list.entries]);
  const { pinned, others } = splitPinned(list);
  const rows = (entries: readonly ListedSession[]) => (
    <ul>
      {entries.map((entry) => (
        <li key={entry.id}>
          <SessionRow
            {...{ entry, now }}
            asks={entry.open > 0 ? askedWords(kindAskedBy(asked, entry)) : undefined}
            isCurrent={entry.id === current}
            isUnread={entry.id !== current && isUnread(seen, entry)}
            onMenu={() => setShown(entry)}
          />
        </li>
      ))}
    </ul>
  );
  const isEmpty = list.isLoaded && list.entries.length === 0;
  const isFiltered = filter.words.trim() !== '';
  return (
    <div class="sessions">
      <h2>{filter.archived ? t('Archived sessions') : t('Sessions')}</h2>
      <input
        type="search"
        class="find-session"
        dir="auto"
        aria-label={t('Find a session')}
        placeholder={t('Find a session')}
        value={filter.words}
        onInput={({ currentTarget }) => setFilter({ ...filter, words: currentTarget.value })}
      />
      {failure !== undefined && <p class="muted">{failure}</p>}
      <p class="muted" role="status">
        {isEmpty && emptyText(isFiltered, filter.archived)}
      </p>
      {isEmpty && isFiltered && (
        <Button kind="quiet" onClick={() => setFilter({ ...filter, words: '' })}>
          {t('Clear the search')}
        </Button>
      )}
      {pinned.length > 0 && (
        <>
          <h3>{t('Pinned')}</h3>
          {rows(pinned)}
          {others.length > 0 && <h3>{t('Recent')}</h3>}
        </>
      )}
      {rows(others)}
      {list.next !== undefined && (
        <Button kind="quiet" onClick={more}>
          {t('Show older')}
        </Button>
      )}
      <Button
        kind="quiet"
        onClick={() => setFilter({ words: filter.words, archived: !filter.archived })}
      >
        {filter.archived ? t('Back to the sessions') : t('Show archived')}
      </Button>
      {shown !== undefined && (
        <SessionMenu
          entry={shown}
          {...{ person, transport }}
          onClose={() => setShown(undefined)}
          onChanged={refresh}
          onGone={(isDeleted) => {
            forget(shown.id);
            if (isDeleted) onDeleted(shown.id);
          }}
        />
      )}
    </div>
  );
}

function emptyText(isFiltered: boolean, isArchived: boolean): string {
  if (isFiltered) return t('No session has these words.');
  return isArchived
    ? t('Nothing is archived. A session is archived from the menu of its row.')
    : t('None yet. A session appears when you begin one, or when a connected agent does.');
}

/** What the person pinned, and the rest. */
function splitPinned({ entries }: SessionsList): {
  readonly pinned: readonly ListedSession[];
  readonly others: readonly ListedSession[];
} {
  const [pinned, others] = [true, false].map((is) =>
    entries.filter((entry) => (entry.pinned === true) === is),
  );
  return { pinned: pinned ?? [], others: others ?? [] };
}
