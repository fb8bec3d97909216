import { useCallback, useEffect } from 'preact/hooks';
import type { AnswerTimes, Status } from '../../../protocol/types.ts';
import type { ServerClock } from '../../clock.ts';
import { perLanguage, t, tn } from '../../model/language.ts';
import { addressOf } from '../../model/location.ts';
import { absoluteTime, MINUTE_MS, relativeTime } from '../../model/times.ts';
import { Badge } from '../../ui/badge.tsx';
import { Literal } from '../../ui/literal.tsx';
import type { AdminRequests } from './admin-requests.ts';
import { AnswerTimesTable } from './answer-times-table.tsx';
import { kindsWords } from './kinds-words.ts';
import { LineChart } from './line-chart.tsx';
import { LoadState } from './load-state.tsx';
import { useLoaded } from './use-loaded.ts';

interface StatusPageProps {
  readonly requests: AdminRequests;
  readonly clock: ServerClock;
}

const hour = perLanguage(
  (locale) => new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit' }),
);
const day = perLanguage(
  // A day of the histograms is one in UTC.
  (locale) => new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' }),
);

/** What waits now, who is connected, how long answers take, and which targets fail. */
export function StatusPage({ requests, clock }: StatusPageProps) {
  const loaded = useLoaded(useCallback(() => requests.status(), [requests]));
  const { reload, value: status } = loaded;
  useEffect(
    () =>
      clock.every(MINUTE_MS, () => {
        if (document.visibilityState === 'visible') void reload();
      }),
    [clock, reload],
  );
  return (
    <section class="settings-section" aria-labelledby="status-title">
      <div class="settings-head">
        <h2 id="status-title">{t('Status')}</h2>
      </div>
      <LoadState loaded={loaded} />
      {status !== undefined && <StatusNow status={status} />}
      {status?.answers !== undefined && (
        <>
          <AnswersOf
            title={t('Time to answer, last 24 hours')}
            times={status.answers.day}
            label={(at) => hour().format(at)}
          />
          <AnswersOf
            title={t('Time to answer, last 7 days')}
            times={status.answers.week}
            label={(at) => day().format(at)}
          />
        </>
      )}
      {status?.targets !== undefined && <FailingTargets targets={status.targets} />}
    </section>
  );
}

function StatusNow({ status }: { readonly status: Status }) {
  const { open, oldestOpenedAt, agents, now } = status;
  return (
    <dl class="status-now">
      <div>
        <dt>{t('Waiting now')}</dt>
        <dd>{open}</dd>
        <dd class="about">
          {oldestOpenedAt === null
            ? t('Nothing waits.')
            : t('The oldest: {time}', { time: relativeTime(oldestOpenedAt, now) })}
        </dd>
      </div>
      {agents !== undefined && (
        <div>
          <dt>{t('Agents connected')}</dt>
          <dd>{agents.connected}</dd>
          <dd class="about">
            {tn(agents.sessions, 'In {count} session', 'In {count} sessions')}
            {agents.isPartial && ` · ${t('others were not asked')}`}
          </dd>
        </div>
      )}
    </dl>
  );
}

interface AnswersOfProps {
  readonly title: string;
  readonly times: AnswerTimes;
  readonly label: (at: number) => string;
}

function AnswersOf({ title, times, label }: AnswersOfProps) {
  const { kinds, points } = times;
  return (
    <section class="status-answers" aria-label={title}>
      <h3>{title}</h3>
      {kinds.length === 0 ? (
        <p class="muted">{t('Nothing was answered in this time.')}</p>
      ) : (
        <>
          <AnswerTimesTable
            heading={t('Kind')}
            rows={kinds.map(({ kind, count, medianMs, p95Ms }) => ({
              name: kindsWords(kind),
              count,
              low: medianMs,
              high: p95Ms,
            }))}
          />
          <LineChart
            title={title}
            points={points.map(({ at, medianMs, p95Ms, count }) => ({
              name: label(at),
              count,
              low: medianMs,
              high: p95Ms,
            }))}
          />
        </>
      )}
    </section>
  );
}

function FailingTargets({ targets }: { readonly targets: NonNullable<Status['targets']> }) {
  return (
    <section class="status-answers" aria-label={t('Failures of targets')}>
      <h3>{t('Failures of targets')}</h3>
      {targets.length === 0 ? (
        <p class="muted">{t('None: the newest deliveries arrived.')}</p>
      ) : (
        <ul class="target-list" aria-label={t('Failures of targets')}>
          {targets.map(({ id, name, disabledAt, failed }) => (
            <li key={id} class="target-row">
              <div class="target-line">
                <a class="target-name" href={addressOf({ settings: 'targets', target: id })}>
                  <Literal text={name ?? id} />
                </a>
                <Badge mood="bad">
                  {disabledAt === null
                    ? tn(failed, '{count} delivery failed', '{count} deliveries failed')
                    : t('Disabled')}
                </Badge>
              </div>
              {disabledAt !== null && <p class="muted">{absoluteTime(disabledAt)}</p>}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
