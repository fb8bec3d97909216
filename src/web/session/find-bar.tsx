import { useEffect, useRef, useState } from 'preact/hooks';
import type { Transport } from '../../client/transport.ts';
import { visibleText } from '../../protocol/escapes.ts';
import { SEARCH_CHARS } from '../../protocol/limits.ts';
import type { FoundEvent } from '../../protocol/types.ts';
import { useNow, type ServerClock } from '../clock.ts';
import { FailureNote, useAsyncAction } from '../hooks/use-async-action.tsx';
import { t, tn } from '../model/language.ts';
import { MINUTE_MS, relativeTime } from '../model/times.ts';
import { adoptStyle } from '../styles/adopt-style.ts';
import findStyle from '../styles/find-bar.css?inline';
import { Button, Icon } from '../ui/button.tsx';

adoptStyle(findStyle);

interface FindBarProps {
  readonly sessionId: string;
  readonly transport: Pick<Transport, 'search'>;
  readonly clock: ServerClock;
  readonly onShow: (seq: number) => void;
  readonly onClose: () => void;
}

/** Requests that one press makes at most while nothing is found: some tens of megabytes of a log. */
const SEARCHES_AT_ONCE = 12;

/** Finds words in everything that the session has logged, also in what is not drawn. */
export function FindBar({ sessionId, transport, clock, onShow, onClose }: FindBarProps) {
  const [words, setWords] = useState('');
  const [asked, setAsked] = useState<string>();
  const [found, setFound] = useState<readonly FoundEvent[]>([]);
  const [next, setNext] = useState<number>();
  const { isBusy, failure, run } = useAsyncAction();
  const field = useRef<HTMLInputElement>(null);
  const now = useNow(clock, MINUTE_MS);
  useEffect(() => field.current?.focus(), []);
  const search = (q: string, from?: number) =>
    run(async () => {
      let before = from;
      for (let tries = 0; tries < SEARCHES_AT_ONCE; tries += 1) {
        const page = await transport.search(sessionId, q, before);
        before = page.next;
        setFound((known) => [...(tries === 0 && from === undefined ? [] : known), ...page.events]);
        if (page.events.length > 0 || before === undefined) break;
      }
      setAsked(q);
      setNext(before);
    });
  const begin = (event: Event) => {
    event.preventDefault();
    const q = words.trim();
    if (q !== '') void search(q);
  };
  return (
    <section
      class="find-bar"
      aria-label={t('Find in this session')}
      onKeyDown={(event) => event.key === 'Escape' && onClose()}
    >
      <form role="search" onSubmit={begin}>
        <input
          ref={field}
          type="search"
          dir="auto"
          aria-label={t('Words to find')}
          placeholder={t('Find in this session')}
          maxLength={SEARCH_CHARS}
          value={words}
          onInput={({ currentTarget }) => setWords(currentTarget.value)}
        />
        <Button type="submit" isBusy={isBusy}>
          {t('Find')}
        </Button>
        <Button kind="icon" aria-label={t('Close the search')} onClick={onClose}>
          <Icon name="close" />
        </Button>
      </form>
      <p class="muted" role="status">
        {asked !== undefined && countText(found.length, next !== undefined)}
      </p>
      <FailureNote text={failure} />
      {found.length > 0 && (
        <ol class="lines" aria-label={t('Found')}>
          {found.map(({ seq, at, excerpt }) => (
            <li key={seq}>
              <button type="button" class="found-event" onClick={() => onShow(seq)}>
                <span dir="auto">{visibleText(excerpt)}</span>
                <span class="about">{relativeTime(at, now)}</span>
              </button>
            </li>
          ))}
        </ol>
      )}
      {asked !== undefined && next !== undefined && (
        <Button kind="quiet" isBusy={isBusy} onClick={() => void search(asked, next)}>
          {t('Search further back')}
        </Button>
      )}
    </section>
  );
}

function countText(count: number, hasMore: boolean): string {
  if (count === 0) return hasMore ? t('Nothing found so far.') : t('Nothing found.');
  return tn(count, '{count} place found', '{count} places found');
}
