import { useCallback, useEffect, useState, useId } from 'preact/hooks';
import { visibleText } from '../../protocol/escapes.ts';
import { useNow, type ServerClock } from '../clock.ts';
import { FailureNote, useAsyncAction } from '../hooks/use-async-action.tsx';
import { failureText } from '../model/failure.ts';
import { addressOf } from '../model/location.ts';
import * as model from '../model/targets.ts';
import { absoluteTime } from '../model/absolute-time.ts';
import {
  MINUTE_MS,
  relativeTime,
  HOUR_MS,
  localInputTime,
  readLocalInputTime,
} from '../model/times.ts';
import { t, tn } from '../model/language.ts';
import { Badge } from '../ui/badge.tsx';
import { Button, Icon } from '../ui/button.tsx';
import { Literal } from '../ui/literal.tsx';
import type { ListedDeliveries, TargetRequests } from './settings-requests.ts';

interface TargetDeliveriesProps {
  readonly id: string;
  readonly requests: TargetRequests;
  readonly clock: ServerClock;
  /** Grows with each action elsewhere that adds a delivery. */
  readonly refreshes: number;
  readonly onRead: (newest: ListedDeliveries) => void;
}

/** While a delivery is about to be sent, the list is read again this often. */
const POLL_MS = 3_000;

/** What was sent to a target, newest first, with the response to each. */
export function TargetDeliveries({
  id,
  requests,
  clock,
  refreshes,
  onRead,
}: TargetDeliveriesProps) {
  const [page, setPage] = useState<ListedDeliveries>();
  const [problem, setProblem] = useState<string>();
  const { isBusy, failure, run } = useAsyncAction();
  const now = useNow(clock, MINUTE_MS);
  const refresh = useCallback(async () => {
    try {
      const first = await requests.deliveries(id);
      setPage((before) => withNewest(before, first));
      onRead(first);
      setProblem(undefined);
    } catch (cause) {
      setProblem(failureText(cause));
    }
  }, [requests, id]);
  useEffect(() => void refresh(), [refresh, refreshes]);
  const isMoving = page?.deliveries.some((one) => isAboutToBeSent(one, clock.now())) ?? false;
  useEffect(() => {
    if (!isMoving) return;
    return clock.every(POLL_MS, () => document.visibilityState === 'visible' && void refresh());
  }, [isMoving, clock, refresh]);
  const more = async () => {
    if (page?.next === undefined) return;
    const older = await requests.deliveries(id, page.next);
    setPage({ ...older, deliveries: [...page.deliveries, ...older.deliveries] });
  };
  return (
    <section class="deliveries" aria-labelledby="deliveries-title">
      <div class="settings-head">
        <h3 id="deliveries-title">{t('Deliveries')}</h3>
        <Button kind="quiet" onClick={() => void refresh()}>
          <Icon name="retry" />
          {t('Refresh')}
        </Button>
      </div>
      {page === undefined && problem === undefined && <p class="muted">{t('Loading…')}</p>}
      {problem !== undefined && <FailureNote text={problem} />}
      {page?.deliveries.length === 0 && (
        <p class="muted">
          {t('Nothing yet. What is sent to this target is listed here for 30 days.')}
        </p>
      )}
      {page !== undefined && page.deliveries.length > 0 && (
        <>
          <ol class="delivery-list" aria-label={t('Deliveries, newest first')}>
            {page.deliveries.map((delivery) => (
              <li key={delivery.id}>
                <DeliveryItem
                  delivery={delivery}
                  now={now}
                  onRedeliver={async () => {
                    const again = await requests.redeliver(id, delivery.id);
                    setPage((before) => before && withChanged(before, again));
                  }}
                />
              </li>
            ))}
          </ol>
          {page.next !== undefined && (
            <Button isBusy={isBusy} onClick={() => void run(more)}>
              {t('Show older')}
            </Button>
          )}
          <FailureNote text={failure} />
          <RedeliverForm
            now={clock.now()}
            onRedeliver={async (since) => {
              const sent = await requests.redeliverSince(id, since);
              await refresh();
              return sent;
            }}
          />
        </>
      )}
    </section>
  );
}

/** Keeps the older pages that were read, unless so much is new that the first page no longer meets them. */
function withNewest(
  before: ListedDeliveries | undefined,
  first: ListedDeliveries,
): ListedDeliveries {
  const last = first.deliveries.at(-1);
  const at = before?.deliveries.findIndex(({ id }) => id === last?.id) ?? -1;
  if (before === undefined || at < 0) return first;
  const older = before.deliveries.slice(at + 1);
  return {
    deliveries: [...first.deliveries, ...older],
    next: older.length === 0 ? first.next : before.next,
  };
}

function withChanged(page: ListedDeliveries, changed: model.Delivery): ListedDeliveries {
  const deliveries = page.deliveries.map((one) => (one.id === changed.id ? changed : one));
  return { ...page, deliveries };
}

function isAboutToBeSent({ status, nextAt }: model.Delivery, now: number): boolean {
  return status === 'pending' && nextAt !== null && nextAt <= now + 2 * POLL_MS;
}

function attemptWords(attempts: number, at: number): string {
  const when = absoluteTime(at);
  if (attempts === 0) return t('On {when}.', { when });
  return tn(attempts, 'One attempt, on {when}.', '{count} attempts, the last on {when}.', { when });
}

interface DeliveryRowProps {
  readonly delivery: model.Delivery;
  readonly now: number;
  readonly onRedeliver: () => Promise<unknown>;
}

function DeliveryItem({ delivery, now, onRedeliver }: DeliveryRowProps) {
  const { id, type, sessionId, createdAt, attempts, nextAt, last, status } = delivery;
  const { isBusy, failure, run } = useAsyncAction();
  const state = model.deliveryState(delivery);
  const answer = last === null ? undefined : model.answerLine(last);
  return (
    <details class="delivery">
      <summary>
        <span class="delivery-what">{visibleText(model.eventWords(type))}</span>
        <Badge mood={model.DELIVERY_MOODS[state]}>
          {model.deliveryWords(state)}
          {attempts > 0 && last?.status !== undefined && ` ${last.status}`}
        </Badge>
        <time class="muted" dateTime={new Date(createdAt).toISOString()}>
          {relativeTime(createdAt, now)}
        </time>
      </summary>
      <div class="delivery-more">
        {last === null ? (
          <p>
            {nextAt === null
              ? t('It waits for an earlier one of its session.')
              : t('Not sent yet.')}
          </p>
        ) : (
          <>
            {attempts === 0 && <p>{t('It is sent again. The last attempt before:')}</p>}
            <p>{visibleText(model.attemptLine(last))}</p>
            {answer !== undefined && <p>{visibleText(answer)}</p>}
            <p class="about">
              {attemptWords(attempts, last.at)}
              {status === 'pending' &&
                nextAt !== null &&
                ` ${t('The next is due on {when}.', { when: absoluteTime(nextAt) })}`}
              {status === 'dead' && ` ${t('It is not tried again by itself.')}`}
            </p>
            {last.body !== '' && (
              <pre
                class="response"
                role="group"
                aria-label={t('Beginning of the response')}
                tabIndex={0}
              >
                <Literal text={last.body} />
              </pre>
            )}
          </>
        )}
        <p class="about code">{id}</p>
        <div class="choices">
          {model.canRedeliver(delivery) && (
            <Button isBusy={isBusy} onClick={() => void run(onRedeliver)}>
              {t('Send again')}
            </Button>
          )}
          {sessionId !== undefined && (
            <a class="button quiet" href={addressOf({ session: sessionId })}>
              {t('Open session')}
            </a>
          )}
        </div>
        <FailureNote text={failure} />
      </div>
    </details>
  );
}

interface RedeliverSinceProps {
  readonly now: number;
  readonly onRedeliver: (since: number) => Promise<number>;
}

/** After an outage of the receiver: sends again everything that has ended since a time, delivered or not. */
function RedeliverForm({ now, onRedeliver }: RedeliverSinceProps) {
  const [text, setText] = useState(() => localInputTime(now - HOUR_MS));
  const [result, setResult] = useState('');
  const { isBusy, failure, run } = useAsyncAction();
  const id = useId();
  const since = readLocalInputTime(text);
  const send = async () => {
    setResult('');
    if (since === undefined) return;
    const count = await onRedeliver(since);
    setResult(tn(count, 'One delivery is sent again.', '{count} deliveries are sent again.'));
  };
  return (
    <form
      class="redeliver"
      onSubmit={(event) => {
        event.preventDefault();
        void run(send);
      }}
    >
      <div class="text-field">
        <label for={id}>{t('Send again what was made since')}</label>
        <input
          id={id}
          type="datetime-local"
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
      </div>
      <Button type="submit" isBusy={isBusy} disabled={since === undefined}>
        {t('Send all again')}
      </Button>
      <p role="status" class="about">
        {result}
      </p>
      <FailureNote text={failure} />
    </form>
  );
}
