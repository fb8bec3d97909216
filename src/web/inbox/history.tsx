import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { DecisionEntry } from '../../protocol/types.ts';
import { escapeInvisible, visibleText } from '../../protocol/escapes.ts';
import { FailureNote, useSlowCount, useAsyncAction } from '../hooks/use-async-action.tsx';
import { useListWindow } from './inbox-list.tsx';
import { type InboxAction, keysOf } from '../model/inbox-actions.ts';
import { withSelected } from '../model/inbox-address.ts';
import { audienceNames } from '../model/audience.ts';
import { kindWords } from '../model/inbox-line.ts';
import { t } from '../model/language.ts';
import { addressOf, type Location } from '../model/location.ts';
import { hasScope } from '../model/person.ts';
import { absoluteTime } from '../model/absolute-time.ts';
import { Button } from '../ui/button.tsx';
import type { Transport } from '../../client/transport.ts';
import { useMedia, WIDE } from './use-media.ts';
import type { InboxScreenProps } from './inbox.tsx';
import { InboxHead } from './inbox-head.tsx';
import { useInboxKeys, useRowFocus, namedRequest } from './inbox-keys.ts';
import { ShownRequest } from './shown-request.tsx';

/** Decisions, newest first: of this person, and for an administrator of all people and of rules. */
export function History({ location, transport, clock, person, onGo, onMenu }: InboxScreenProps) {
  const isAdmin = hasScope(person, 'admin');
  const of = isAdmin && location.for === 'everyone' ? 'everyone' : 'me';
  const { entries, next, more, isBusy, failure } = useDecisions(transport, of);
  const slow = useSlowCount();
  const isWide = useMedia(WIDE);
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    document.title = `${t('History')} · Holdpoint`;
  }, []);
  const { from, to, reveal } = useListWindow(list, entries?.length ?? 0);
  const named = namedRequest(location);
  const shown = entries?.find(
    (entry) => entry.sessionId === named?.sessionId && entry.interactionId === named.interactionId,
  );
  const back = () => onGo(withSelected(location, undefined));
  const [kept, setKept] = useState<string>();
  const [moves, setMoves] = useState(0);
  const keys = useMemo(() => entries?.map(entryKeyOf) ?? [], [entries]);
  const cursorKey = kept ?? (shown && entryKeyOf(shown));
  useRowFocus({ list, keys, cursorKey, moves, reveal });
  const move = (by: 1 | -1) => {
    const at = keys.indexOf(cursorKey ?? '');
    const next = entries?.[at < 0 ? 0 : at + by];
    if (next === undefined) return;
    const place = decisionRequestOf(next);
    // Beside the list on a wide screen; on a narrow one it is opened by Enter.
    if (place !== undefined && (isWide || named !== undefined))
      onGo(withSelected(location, place), 'replace');
    setKept(entryKeyOf(next));
    setMoves((count) => count + 1);
  };
  const act: Partial<Record<InboxAction, () => void>> = {
    next: () => move(1),
    previous: () => move(-1),
    open() {
      const isBeside = isWide && shown !== undefined && entryKeyOf(shown) === cursorKey;
      if (isBeside) document.querySelector<HTMLElement>('.inbox-shown .card')?.focus();
      // Its link is followed: some entries lead to their session.
      else if (document.activeElement instanceof HTMLElement) document.activeElement.click();
    },
    back() {
      if (!isWide && named !== undefined) back();
      setMoves((count) => count + 1);
    },
  };
  useInboxKeys((action, event) => {
    const run = act[action];
    if (run === undefined) return;
    event.preventDefault();
    run();
  });
  return (
    <main class={named === undefined ? 'inbox' : 'inbox has-page'} tabIndex={-1}>
      <div class="inbox-pane" data-scrolls>
        <InboxHead tab="history" onMenu={onMenu}>
          {isAdmin && (
            <nav class="inbox-tabs" aria-label={t('Whose decisions')}>
              <HistoryViewLink of="me" current={of} words={t('Mine')} />
              <HistoryViewLink of="everyone" current={of} words={t('Everyone’s')} />
            </nav>
          )}
        </InboxHead>
        {entries?.length === 0 && next === undefined && (
          <div class="inbox-empty">
            <h2>{t('Nothing decided yet')}</h2>
            <p>
              {of === 'me'
                ? t(
                    'What you decide is listed here, with its reason, and can be taken back at first.',
                  )
                : t('What people, rules and deadlines decide is listed here.')}
            </p>
            <div class="choices">
              <a class="button plain" href={addressOf({ page: 'inbox' })}>
                {t('What waits')}
              </a>
            </div>
          </div>
        )}
        {entries === undefined && failure === undefined && <p class="muted">{t('Loading…')}</p>}
        <ul
          class="inbox-list"
          ref={list}
          aria-label={t('Decisions')}
          aria-keyshortcuts={`${keysOf('next')} ${keysOf('previous')}`}
        >
          {entries?.slice(from, to).map((entry, index) => (
            <DecisionRow
              key={entryKeyOf(entry)}
              {...{ entry, location }}
              onGo={(next) => {
                setKept(entryKeyOf(entry));
                onGo(next);
              }}
              position={{ at: from + index, of: entries.length }}
              isShown={entry === shown}
            />
          ))}
        </ul>
        {next !== undefined && (
          <Button isBusy={isBusy} onClick={more}>
            {t('Show older')}
          </Button>
        )}
        <FailureNote text={failure} />
      </div>
      {named !== undefined && (
        <ShownRequest
          {...named}
          {...{ transport, clock }}
          key={`${named.sessionId} ${named.interactionId}`}
          sessionTitle={shown?.sessionTitle}
          version={0}
          me={person}
          canAnswer={hasScope(person, 'answer')}
          isAnswerable
          onSlow={slow.note}
          onReopened={(place) => onGo(withSelected({ page: 'inbox' }, place))}
          onBack={isWide ? undefined : back}
        />
      )}
    </main>
  );
}

interface OfLinkProps {
  readonly of: 'me' | 'everyone';
  readonly current: string;
  readonly words: string;
}

function HistoryViewLink({ of, current, words }: OfLinkProps) {
  return (
    <a
      href={addressOf({ page: 'inbox', tab: 'history', for: of })}
      aria-current={of === current ? 'page' : undefined}
    >
      {words}
    </a>
  );
}

interface DecisionRowProps {
  readonly entry: DecisionEntry;
  readonly location: Location;
  readonly position: { readonly at: number; readonly of: number };
  readonly isShown: boolean;
  readonly onGo: (location: Location) => void;
}

function entryKeyOf({ sessionId, seq }: DecisionEntry): string {
  return `${sessionId} ${seq}`;
}

/** A call that a rule decided has no request of its own. */
function decisionRequestOf({ sessionId, interactionId }: DecisionEntry) {
  return interactionId === undefined ? undefined : { sessionId, interactionId };
}

function DecisionRow({ entry, location, position, isShown, onGo }: DecisionRowProps) {
  const { sessionId, sessionTitle, toolName, kind, outcome, reason, at } = entry;
  const place = decisionRequestOf(entry);
  const address: Location =
    place === undefined ? { session: sessionId } : withSelected(location, place);
  return (
    <li
      class="inbox-row"
      aria-setsize={position.of}
      aria-posinset={position.at + 1}
      data-key={entryKeyOf(entry)}
    >
      <span
        class={outcome === undefined ? 'inbox-mark' : `inbox-mark outcome ${outcome}`}
        aria-hidden="true"
      />
      <a
        class="inbox-line"
        href={addressOf(address)}
        aria-current={isShown ? 'true' : undefined}
        aria-keyshortcuts={keysOf('open')}
        onClick={(event) => {
          if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
          event.preventDefault();
          onGo(address);
        }}
      >
        <span class="inbox-what">
          <span class="inbox-tool">{visibleText(toolName ?? kindWords(kind ?? ''))}</span>
          <span class="inbox-first" dir="auto">
            {decisionWords(entry)}
            {reason !== undefined && `: ${escapeInvisible(reason)}`}
          </span>
          <time class="inbox-time" dateTime={new Date(at).toISOString()}>
            {absoluteTime(at)}
          </time>
        </span>
        <span class="inbox-about">
          <span class="inbox-where" dir="auto">
            {escapeInvisible(sessionTitle ?? sessionId)}
          </span>
          <span dir="auto">{escapeInvisible(whoOf(entry))}</span>
        </span>
      </a>
    </li>
  );
}

function decisionWords({ outcome, change, ...entry }: DecisionEntry): string {
  switch (change) {
    case 'undone':
      return t('Taken back');
    case 'vote':
      return entry.approvals === undefined || entry.quorum === undefined
        ? t('Approved, one of several')
        : t('Approved ({given} of {count})', { given: entry.approvals, count: entry.quorum });
    case 'vote_withdrawn':
      return t('Approval withdrawn');
    case 'handed_over':
      return entry.to === undefined
        ? t('Handed over')
        : t('Handed over to {audience}', { audience: audienceNames(entry.to) });
  }
  switch (outcome) {
    case 'approved':
      return t('Approved');
    case 'answered':
      return t('Answered');
    case 'denied':
      return t('Denied');
    case 'cancelled':
      return t('Cancelled');
    case 'expired':
      return t('Expired');
    default:
      return t('Replaced');
  }
}

function whoOf({ what, subject, via }: DecisionEntry): string {
  if (what === 'gate') return t('by {rule}', { rule: subject });
  return via === 'system' ? t('by the service') : t('by {name}', { name: subject });
}

const HISTORY_PAGE = 100;
/** Several that end in a row cause one read. */
const READ_AGAIN_MS = 300;

type DecidedByWhom = 'me' | 'everyone';

interface ReadDecisions {
  readonly of: DecidedByWhom;
  readonly list: readonly DecisionEntry[];
  readonly next: string | undefined;
}

/** The list of decisions, page by page, and anew whenever a request of the workspace ends. */
function useDecisions(transport: Transport, of: DecidedByWhom) {
  const [found, setFound] = useState<ReadDecisions>();
  const { isBusy, failure, run } = useAsyncAction();
  const wanted = useRef(of);
  wanted.current = of;
  const read = async (cursor?: string) => {
    const from = cursor === undefined ? {} : { cursor };
    const { decisions, next } = await transport.decisions({ of, limit: HISTORY_PAGE, ...from });
    // A late page of the other list would take the place of this one.
    if (wanted.current !== of) return;
    setFound((before) => {
      const known = before?.of === of ? before : undefined;
      const isNewest = cursor === undefined;
      if (known === undefined || (isNewest && !meets(decisions, known.list)))
        return { of, list: decisions, next };
      return isNewest
        ? { ...known, list: joinLists(decisions, known.list) }
        : { of, list: joinLists(known.list, decisions), next };
    });
  };
  useEffect(() => {
    void run(() => read());
    let timer: ReturnType<typeof setTimeout> | undefined;
    const readSoon = () => {
      clearTimeout(timer);
      timer = setTimeout(() => void run(() => read()), READ_AGAIN_MS);
    };
    const inbox = transport.subscribeInbox({
      // What ended before the connection: while it was lost, or since the first page was read.
      inbox: readSoon,
      changed({ removed }) {
        if (removed.length > 0) readSoon();
      },
    });
    return () => {
      clearTimeout(timer);
      inbox.close();
    };
  }, [transport, of]);
  const shown = found?.of === of ? found : undefined;
  return {
    entries: shown?.list,
    next: shown?.next,
    more: () => void run(() => read(shown?.next)),
    isBusy,
    failure,
  };
}

function joinLists(newer: readonly DecisionEntry[], older: readonly DecisionEntry[]) {
  const known = new Set(newer.map(entryKeyOf));
  return [...newer, ...older.filter((entry) => !known.has(entryKeyOf(entry)))];
}

/** Between two lists that share no entry, decisions may be missing. */
function meets(newer: readonly DecisionEntry[], older: readonly DecisionEntry[]): boolean {
  const known = new Set(newer.map(entryKeyOf));
  return older.length === 0 || older.some((entry) => known.has(entryKeyOf(entry)));
}
