import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { isTyping, isWaitingForPerson, statusOf } from '../../client/state/replica.ts';
import type { Transport } from '../../client/transport.ts';
import { ConnectionBanner } from '../app/connection-banner.tsx';
import type { ServerClock } from '../clock.ts';
import { Composer } from '../composer/composer.tsx';
import type { CardContext } from '../cards/card-props.ts';
import { Conversation } from '../conversation/conversation.tsx';
import { useCardFocus } from '../hooks/use-card-focus.ts';
import { markFirstDraw, useLaterParts } from '../hooks/use-later-parts.ts';
import { isCaughtUp, useSession } from '../hooks/use-session.ts';
import { useSlowCount } from '../hooks/use-async-action.tsx';
import { useTextTargets } from '../hooks/use-text-targets.ts';
import { addresseeOf } from '../model/addressee.ts';
import { hasConnection } from '../model/banner.ts';
import type { KeyValueStore } from '../model/key-value-store.ts';
import { hasScope, type Person } from '../model/person.ts';
import type { Sought } from '../model/rows.ts';
import { statusText, typingText } from '../model/session-words.ts';
import type { ListedSession } from '../model/sessions-list.ts';
import { SessionTop } from './session-top.tsx';
import { t, tx } from '../model/language.ts';

export interface SessionScreenProps {
  readonly sessionId: string;
  /** The interaction that a link points to. */
  readonly interactionId?: string | undefined;
  /** The `seq` of the event that a link points to. */
  readonly event?: string | undefined;
  readonly person: Person;
  readonly transport: Transport;
  readonly clock: ServerClock;
  readonly store: KeyValueStore;
  /** The built-in agent runs on the demo model; external agents are real. */
  readonly isDemo?: boolean;
  /** Changes when the names of people are read. */
  readonly names?: number;
  readonly onMenu?: (() => void) | undefined;
  /** Reports a change of the fields that the session list shows. */
  readonly onKnown?: ((entry: ListedSession) => void) | undefined;
  readonly onDeleted: () => void;
}

export function SessionScreen(props: SessionScreenProps) {
  const {
    sessionId,
    interactionId,
    event,
    person,
    transport,
    clock,
    store,
    onMenu,
    onKnown,
    onDeleted,
  } = props;
  const followed = useSession(transport, sessionId, clock);
  const { state, reconnect, look, readHistoryAgain } = followed;
  const { history, earlier } = state;
  const histories = (history?.count ?? 0) + earlier.count;
  const [hasDetails, setDetails] = useState(false);
  const [isFinding, setFinding] = useState(false);
  const hasEnded = state.replica.isDeleted || state.connection.type === 'closed';
  const later = useLaterParts(hasEnded ? 'now' : 'later');
  const [wanted, setWanted] = useState<Sought>();
  const { targets, add: onTextTarget } = useTextTargets();
  const slow = useSlowCount();
  const { replica, timeline, connection } = state;
  const { session, open, rules } = replica;
  const canAnswer = hasScope(person, 'answer');
  const canSend = hasScope(person, 'send');
  const hasOwnAgent = session?.agent != null;
  const turnRuns = session !== null && session.turn !== null;
  const isAnswerable = hasConnection(connection);
  const title = session?.title ?? null;
  const labels = session?.labels;

  const [handedText, setHanded] = useState<{ readonly text: string }>();
  const latest = useRef(replica);
  latest.current = replica;
  const onSendText = useMemo(() => {
    if (!canSend) return undefined;
    return async (text: string, idempotencyKey: string) => {
      const { to } = addresseeOf(latest.current, text, canAnswer);
      // The text would answer a request: its author decides in the composer.
      if (to !== 'agent' && to !== 'queue') return setHanded({ text });
      await transport.sendMessage(sessionId, text, { idempotencyKey }).routed;
    };
  }, [canSend, canAnswer, transport, sessionId]);
  const linked = useMemo((): Sought | undefined => {
    if (interactionId !== undefined) return { interactionId };
    return event === undefined ? undefined : { seq: Number(event) };
  }, [interactionId, event]);
  const isReady = isCaughtUp(state);
  const sought = isReady ? (wanted ?? linked) : undefined;
  const isLoaded = sought !== undefined && followed.holds(sought);
  useEffect(() => {
    // What cannot be loaded is not shown; the line at the beginning says why.
    if (sought !== undefined && !isLoaded) void followed.loadUntil(sought).catch(() => undefined);
  }, [sought, isLoaded]);
  const parts: CardContext = {
    session: useMemo(() => ({ id: sessionId, title, labels }), [sessionId, title, labels]),
    transport,
    clock,
    me: person,
    names: props.names,
    canAnswer,
    hasOwnAgent,
    isAnswerable,
    hasHistory: history !== undefined,
    open,
    agents: replica.agents,
    rules,
    restorable: canSend && !turnRuns ? session?.summaries?.at(-1) : undefined,
    onTextTarget,
    onSendText,
    onSlow: slow.note,
  };
  // The same object while no part changes: blocks are then not drawn again.
  const context = useMemo(() => parts, Object.values(parts));
  useCardFocus(open, isReady);
  useEffect(() => (isReady ? callAfterLook(markFirstDraw) : undefined), [isReady]);
  const createdAt = session?.createdAt;
  const isArchived = session?.archived === true;
  useEffect(() => {
    if (createdAt === undefined) return;
    const known = { id: sessionId, title, createdAt, head: replica.head, open: open.length };
    onKnown?.({ ...known, ...(isArchived && { archived: true }) });
  }, [sessionId, title, createdAt, open.length, isArchived, onKnown === undefined]);

  if (hasEnded) {
    const { isDeleted } = replica;
    return later && <later.SessionEnded status={connection} {...{ isDeleted, onMenu }} />;
  }
  return (
    <main class="session" tabIndex={-1}>
      {props.isDemo === true && session?.agent != null && <DemoNotice />}
      <SessionTop
        session={session}
        status={session === null ? '' : statusText(statusOf(replica), isWaitingForPerson(replica))}
        onMenu={onMenu}
        onFind={() => setFinding(true)}
        onDetails={() => setDetails(true)}
        onlookers={
          later && (
            <later.SessionOnlookers
              {...{ sessionId, open, look }}
              me={person}
              isConnected={isAnswerable}
            />
          )
        }
      />
      <ConnectionBanner
        status={connection}
        isSlow={slow.count > 0}
        clock={clock}
        onReconnect={reconnect}
      />
      {history !== undefined && session !== null && later !== undefined && (
        <later.HistoryLine {...{ session, history }} onAgain={readHistoryAgain} />
      )}

      {isFinding && later !== undefined && (
        <later.FindBar
          {...{ sessionId, transport, clock }}
          onShow={(seq) => setWanted({ seq })}
          onClose={() => setFinding(false)}
        />
      )}
      <Conversation
        timeline={timeline}
        histories={histories}
        context={context}
        shown={isLoaded ? sought : undefined}
        onEarlier={earlier.hasMore ? followed.loadEarlier : undefined}
        onSeek={setWanted}
        typing={isTyping(replica) ? typingText(replica) : undefined}
        onRetry={canSend && !turnRuns ? () => transport.retry(sessionId) : undefined}
      />

      {later && (
        <later.TextAnnouncer turns={timeline.turns} isReady={isReady} histories={histories} />
      )}
      <div class="foot">
        {later && (
          <later.QueuedMessages
            queued={session?.queued ?? []}
            onRemove={
              canSend ? (messageId) => transport.removeQueued(sessionId, messageId) : undefined
            }
          />
        )}
        <Composer
          key={sessionId}
          {...{ sessionId, replica, store, transport, canAnswer, targets, handedText, clock }}
          onSlow={slow.note}
          onReveal={(shown) => setWanted({ interactionId: shown })}
          onSend={
            canSend
              ? ({ text, ...how }) => transport.sendMessage(sessionId, text, how).routed
              : undefined
          }
          onStop={canSend && turnRuns ? () => transport.interrupt(sessionId) : undefined}
        />
      </div>
      {hasDetails && session !== null && later !== undefined && (
        <later.DetailsSheet
          {...{ session, replica, person, transport, clock, onDeleted }}
          onClose={() => setDetails(false)}
        />
      )}
    </main>
  );
}

const LOOK_MS = 50;

/** After the first look at the cards on the screen: Approve wakes while the rest is fetched. */
function callAfterLook(call: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const frame = requestAnimationFrame(() => {
    timer = setTimeout(call, LOOK_MS);
  });
  return () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  };
}

/** A scripted agent must not pass for a model (RUN-9). */
function DemoNotice() {
  return (
    <p class="demo">
      {tx('{demo} scripted agent, no model connected.', {
        demo: <strong>{t('Demo mode:')}</strong>,
      })}
      <span class="wide-only"> {t('Set ANTHROPIC_API_KEY to talk to one.')}</span>
    </p>
  );
}
