import { useEffect, useState } from 'preact/hooks';
import type { Transport } from '../../client/transport.ts';
import type { Interaction } from '../../protocol/types.ts';
import { cardKindOf } from '../cards/card-kinds.tsx';
import { InteractionCard } from '../cards/interaction-card.tsx';
import { CardAudience } from '../cards/parts/card-audience.tsx';
import { CardStatus } from '../cards/parts/card-status.tsx';
import { useOutsiderWords } from '../cards/use-outsider-words.ts';
import { useNow, type ServerClock } from '../clock.ts';
import type { ReportSlow } from '../hooks/use-async-action.tsx';
import { cardToneOf } from '../model/cards/outcome-words.ts';
import { escapeInvisible } from '../../protocol/escapes.ts';
import type { InboxItem } from '../model/inbox.ts';
import { addressOf } from '../model/location.ts';
import type { Person } from '../model/person.ts';
import { absoluteTime, relativeTime } from '../model/times.ts';
import { Icon } from '../ui/icon.tsx';
import { Literal } from '../ui/literal.tsx';

interface InboxItemRowProps {
  readonly item: InboxItem;
  readonly transport: Transport;
  readonly clock: ServerClock;
  readonly me: Person;
  readonly canAnswer: boolean;
  readonly isAnswerable: boolean;
  /** The position in the list: Approve is blocked for a moment when it changes. */
  readonly position: number;
  readonly isChosen: boolean;
  /** Undefined where no similar item exists. */
  readonly onChoose: (() => void) | undefined;
  readonly onSeen: () => void;
  readonly onSlow: ReportSlow;
  readonly onAnswered: () => void;
}

/** An inbox item: its session, and a card to answer it or a link to the session. */
export function InboxItemRow({ item, onChoose, onAnswered, isChosen, ...card }: InboxItemRowProps) {
  const { sessionId, sessionTitle, interactionId, openedAt, toolName } = item.entry;
  const record = useOutcome(card.transport, item);
  const isOutsider = useOutsiderWords(record, card.me) !== undefined;
  const address = addressOf({ session: sessionId, interaction: interactionId });
  const session = { id: sessionId, title: sessionTitle };
  return (
    <article class="inbox-row" aria-label={`${toolName} in ${sessionTitle ?? sessionId}`}>
      <div class="inbox-where">
        <h2>
          <a href={address}>
            <span dir="auto">{escapeInvisible(sessionTitle ?? sessionId)}</span>
            <Icon name="chevron" />
          </a>
        </h2>
        <AskedWhen at={openedAt} clock={card.clock} />
        {onChoose !== undefined && (isChosen || !isOutsider) && (
          <label class="choose">
            <input type="checkbox" checked={isChosen} onChange={onChoose} />
            Select<span class="unseen"> {toolName} to decide several at once</span>
          </label>
        )}
      </div>
      {canAnswerInPlace(item) ? (
        <InteractionCard interaction={record} session={session} onSettled={onAnswered} {...card} />
      ) : (
        <ElsewhereCard
          record={record}
          clock={card.clock}
          me={card.me}
          address={address}
          isCut={item.entry.request === null}
        />
      )}
    </article>
  );
}

const AGE_REFRESH_MS = 30_000;

function AskedWhen({ at, clock }: { readonly at: number; readonly clock: ServerClock }) {
  const now = useNow(clock, AGE_REFRESH_MS);
  return (
    <time dateTime={new Date(at).toISOString()} title={absoluteTime(at)}>
      asked {relativeTime(at, now)}
    </time>
  );
}

/** The record of an item that left the inbox: the list itself says only that the item is gone. */
function useOutcome(transport: Transport, item: InboxItem): Interaction {
  const { sessionId, interactionId } = item.entry;
  const [settled, setSettled] = useState<Interaction>();
  useEffect(() => {
    if (item.isOpen) return;
    let isWanted = true;
    transport.interaction(sessionId, interactionId).then(
      (record) => isWanted && record.status === 'settled' && setSettled(record),
      // The session may be deleted; the item then shows only that it ended.
      () => undefined,
    );
    return () => {
      isWanted = false;
    };
  }, [transport, sessionId, interactionId, item.isOpen]);
  return item.isOpen ? recordOfItem(item) : (settled ?? recordOfItem(item));
}

interface LinkCardProps {
  readonly record: Interaction;
  readonly clock: ServerClock;
  readonly me: Person;
  readonly address: string;
  /** The request is too large for the list. */
  readonly isCut: boolean;
}

/** A plan, a form or a long input: it is answered in its session. */
function ElsewhereCard({ record, clock, me, address, isCut }: LinkCardProps) {
  const { name, title: Title } = cardKindOf(record);
  const isOpen = record.status === 'open';
  return (
    <section class={`card ${cardToneOf(record, me)} ${record.status}`}>
      <header class="card-head">
        <p class="card-kind">{isCut ? 'Request' : name}</p>
        <h2>{isCut ? <Literal text={record.toolName} /> : <Title record={record} />}</h2>
        <CardStatus {...{ record, me, clock }} />
      </header>
      <CardAudience record={record} />
      {isOpen && (
        <div class="card-body">
          <div class="card-actions">
            <a class="button plain" href={address}>
              Open
            </a>
            {isCut && <span class="card-hint">Too long to show here.</span>}
          </div>
        </div>
      )}
    </section>
  );
}

/** The kinds whose cards need only what the list has. */
const IN_PLACE = ['approval', 'question'];

function canAnswerInPlace({ entry }: InboxItem): boolean {
  return entry.request !== null && IN_PLACE.includes(entry.kind);
}

/** An inbox entry as the record that a card draws, with neutral values for what the list lacks. */
function recordOfItem({ entry, isOpen }: InboxItem): Interaction {
  const {
    sessionId: _session,
    sessionTitle: _title,
    beyondShare: _beyond,
    request,
    ...listed
  } = entry;
  return {
    ...listed,
    request: request ?? {},
    requestDigest: '',
    timeoutMs: null,
    onExpire: 'deny',
    status: isOpen ? 'open' : 'settled',
    outcome: null,
    settledAt: null,
    settledBy: null,
    rev: 0,
  };
}
