import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Transport } from '../../client/transport.ts';
import type { Interaction } from '../../protocol/types.ts';
import { InteractionCard } from '../cards/interaction-card.tsx';
import { TakeBack } from '../cards/parts/take-back.tsx';
import type { ServerClock } from '../clock.ts';
import type { ReportSlow } from '../hooks/use-async-action.tsx';
import { escapeInvisible } from '../../protocol/escapes.ts';
import { keysOf } from '../model/inbox-actions.ts';
import { failureText } from '../model/failure.ts';
import { inboxKeyOf } from '../model/inbox.ts';
import type { Labels } from '../../protocol/schema/audience.ts';
import { t } from '../model/language.ts';
import { addressOf } from '../model/location.ts';
import { personName } from '../model/names.ts';
import type { Person } from '../model/person.ts';
import { absoluteTime } from '../model/absolute-time.ts';
import { useLookBesideList } from '../presence/use-look-beside-list.ts';
import { Button, Icon } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy-button.tsx';

export interface ShownRequestProps {
  readonly sessionId: string;
  readonly interactionId: string;
  readonly sessionTitle: string | null | undefined;
  /** Undefined where the request is not listed: then they are read. */
  readonly labels?: Labels | undefined;
  /** Changes whenever the list learns something new of the request: then it is read again. */
  readonly version: unknown;
  readonly transport: Transport;
  readonly clock: ServerClock;
  readonly me: Person;
  readonly canAnswer: boolean;
  readonly isAnswerable: boolean;
  readonly onSeen?: () => void;
  readonly onSlow: ReportSlow;
  /** Keys approve, deny and edit the shown request. */
  readonly hasKeys?: boolean;
  /** The person went to it by a key. */
  readonly isAwaited?: boolean;
  readonly onSettled?: () => void;
  /** A decision was taken back, and this is the request that is open instead. */
  readonly onReopened: (place: { sessionId: string; interactionId: string }) => void;
  /** On a phone, where the request is a page of its own. */
  readonly onBack: (() => void) | undefined;
  readonly children?: ComponentChildren;
}

/** The whole request beside the list, answered in place: the same card as in its session, with the same guards. */
export function ShownRequest(props: ShownRequestProps) {
  const { sessionId, interactionId, sessionTitle, transport, me, children, onBack } = props;
  const { found, changedFrom, labels, failure, again } = useFoundRequest(props);
  const isOpen = found?.status === 'open';
  useLookBesideList({ transport, me, sessionId, interactionId, isOpen });
  const pane = useRef<HTMLElement>(null);
  const title = sessionTitle ?? sessionId;
  const address = addressOf({ session: sessionId, interaction: interactionId });
  // Beside the list, the list has the heading of the page.
  const Heading = onBack === undefined ? 'h2' : 'h1';
  // Another request begins at its head; the scroll position of the one before means nothing.
  useEffect(() => pane.current?.scrollTo(0, 0), [sessionId, interactionId]);
  return (
    <section class="inbox-shown" aria-label={t('Request')} ref={pane} tabIndex={-1} data-scrolls>
      <header class="inbox-shown-head">
        {onBack !== undefined && (
          <Button
            kind="icon"
            aria-label={t('Back to the list')}
            aria-keyshortcuts={keysOf('back')}
            onClick={onBack}
          >
            <Icon name="back" />
          </Button>
        )}
        <div class="inbox-session">
          <Heading dir="auto">{escapeInvisible(title)}</Heading>
          {found !== undefined && (
            <p class="muted">
              {found.openedBy.subject !== '' && (
                <>
                  <bdi>{personName(found.openedBy)}</bdi>
                  {' · '}
                </>
              )}
              <time dateTime={new Date(found.openedAt).toISOString()}>
                {absoluteTime(found.openedAt)}
              </time>
            </p>
          )}
        </div>
        <CopyButton
          kind="quiet"
          label={t('Copy link to this request')}
          text={location.origin + address}
        >
          <Icon name="link" />
          <span class="wide-only">{t('Copy link')}</span>
        </CopyButton>
        <a class="button quiet" href={address}>
          {t('Open')}
          <span class="unseen"> {t('in its session')}</span>
        </a>
      </header>
      {children}
      {found?.status === 'settled' && (
        <TakeBack
          {...{ sessionId, transport, me }}
          record={found}
          clock={props.clock}
          onReopened={({ interactionId: next }) =>
            props.onReopened({ sessionId, interactionId: next })
          }
        />
      )}
      {found === undefined ? (
        failure === undefined ? (
          <p class="muted">{t('Loading…')}</p>
        ) : (
          <p class="failure" role="alert">
            {failure}{' '}
            <button type="button" class="link" onClick={again}>
              {t('Try again')}
            </button>
          </p>
        )
      ) : (
        <InteractionCard
          {...{ transport, me, changedFrom }}
          interaction={found}
          session={{ id: sessionId, title: sessionTitle ?? null, labels }}
          clock={props.clock}
          canAnswer={props.canAnswer}
          isAnswerable={props.isAnswerable}
          onSlow={props.onSlow}
          isInInbox={props.hasKeys === true}
          isAwaited={props.isAwaited}
          position={`${sessionId} ${interactionId}`}
          {...(props.onSeen && { onSeen: props.onSeen })}
          {...(props.onSettled && { onSettled: props.onSettled })}
        />
      )}
    </section>
  );
}

interface FoundRequest {
  /** Of the request: the one before it may still be arriving. */
  readonly key: string;
  readonly record: Interaction;
  readonly changedFrom: Interaction | undefined;
  readonly labels: Labels | undefined;
}

type WantedRequest = Pick<
  ShownRequestProps,
  'transport' | 'sessionId' | 'interactionId' | 'version' | 'isAnswerable' | 'me' | 'labels'
>;

/** The record from its session: a list lacks long requests, feedback, and answers that were begun. */
function useFoundRequest(wanted: WantedRequest) {
  const { transport, sessionId, interactionId, version, isAnswerable } = wanted;
  const key = inboxKeyOf(wanted);
  const [found, setFound] = useState<FoundRequest>();
  const [failure, setFailure] = useState<string>();
  const [tries, setTries] = useState(0);
  useEffect(() => {
    let isWanted = true;
    setFailure(undefined);
    readWanted(wanted).then(
      (read) => isWanted && setFound({ key, ...read }),
      (cause: unknown) => isWanted && setFailure(failureText(cause)),
    );
    return () => {
      isWanted = false;
    };
    // A connection that is back may have missed a change.
  }, [transport, sessionId, interactionId, version, isAnswerable, tries]);
  const isThis = found?.key === key;
  return {
    found: isThis ? found.record : undefined,
    changedFrom: isThis ? found.changedFrom : undefined,
    labels: wanted.labels ?? (isThis ? found.labels : undefined),
    failure: isThis ? undefined : failure,
    again: () => setTries(tries + 1),
  };
}

async function readWanted(wanted: WantedRequest) {
  const { transport, sessionId, interactionId, me } = wanted;
  const isWhole = wanted.labels === undefined || mayTakeDelivery(me);
  const { session, open } = isWhole ? await transport.snapshot(sessionId) : {};
  const labels = session?.labels;
  const record =
    open?.find((one) => one.interactionId === interactionId) ??
    (await transport.interaction(sessionId, interactionId));
  const { replaces } = record;
  if (replaces === undefined || record.status !== 'open')
    return { record, labels, changedFrom: undefined };
  // Without the request before it, the card shows the new one and no difference.
  const changedFrom = await transport.interaction(sessionId, replaces).catch(() => undefined);
  return { record, labels, changedFrom };
}

/** Its read of a settled record counts as delivery to the agent (INT-16), and an open one may settle meanwhile. */
function mayTakeDelivery({ scopes, via }: Person): boolean {
  return via === 'api' || scopes.includes('agent');
}
