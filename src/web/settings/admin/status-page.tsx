import { useCallback, useEffect } from 'preact/hooks';
import type { AnswerTimes, Status } from '../../../protocol/types.ts';
import type { ServerClock } from '../../clock.ts';
import { perLanguage, t, tn, formatNumber } from '../../model/language.ts';
import { addressOf } from '../../model/location.ts';
import { absoluteTime } from '../../model/absolute-time.ts';
import { MINUTE_MS, relativeTime } from '../../model/times.ts';
import { Badge } from '../../ui/badge.tsx';
import { Literal } from '../../ui/literal.tsx';
import type { AdminRequests } from './admin-requests.ts';
import { kindsWords } from './kinds-words.ts';
import { LoadState, useLoaded } from './use-loaded.tsx';

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
          <AgentsNote agents={agents} />
        </div>
      )}
    </dl>
  );
}

function AgentsNote({ agents }: { readonly agents: NonNullable<Status['agents']> }) {
  const { connected, sessions, isPartial } = agents;
  const none = t('No agent is connected.');
  const counted = tn(
    sessions,
    'Counted in one session. Others may have agents too.',
    'Counted in at most {count} sessions. Others may have agents too.',
  );
  if (isPartial) return <dd class="about">{counted}</dd>;
  return connected === 0 ? <dd class="about">{none}</dd> : null;
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

/** How long the answers of one day, hour or kind took. */
interface AnswerTimesRow {
  readonly name: string;
  readonly count: number;
  /** The median in milliseconds; null where nothing was measured. */
  readonly low: number | null;
  /** The 95th percentile, likewise. */
  readonly high: number | null;
}

interface AnswerTimesTableProps {
  /** The heading of the names. */
  readonly heading: string;
  readonly rows: readonly AnswerTimesRow[];
}

function AnswerTimesTable({ heading, rows }: AnswerTimesTableProps) {
  return (
    <div class="chart-scroll">
      <table class="numbers">
        <thead>
          <tr>
            <th scope="col">{heading}</th>
            <th scope="col">{t('Answered')}</th>
            <th scope="col">{t('Median')}</th>
            <th scope="col">{t('95 %')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, count, low, high }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{count}</td>
              <td>{spanText(low)}</td>
              <td>{spanText(high)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface LineChartProps {
  readonly title: string;
  readonly points: readonly AnswerTimesRow[];
}

const WIDTH = 640;
const HEIGHT = 160;
const MARGIN = { left: 8, right: 8, top: 14, bottom: 8 };
const percentFromBelow = (y: number) => (100 * (HEIGHT - y)) / HEIGHT;
/** A second, ten, a minute, ten, an hour, ten, four days: waits differ by factors, so the scale does too. */
const SCALE_MARKS = [1_000, 10_000, 60_000, 600_000, 3_600_000, 36_000_000, 345_600_000];

/**
 * Median and 95th percentile over time, on a scale of factors; the same numbers as a table behind it. The words stand
 * beside the drawing and not in it: they would shrink with it.
 */
function LineChart({ title, points }: LineChartProps) {
  const values = points.flatMap(({ low, high }) => [low, high]).filter((ms) => ms !== null);
  if (values.length === 0) return null;
  const least = Math.log(Math.max(100, Math.min(...values) / 1.5));
  const most = Math.log(Math.max(...values) * 1.5);
  const x = (index: number) =>
    MARGIN.left + ((index + 0.5) / points.length) * (WIDTH - MARGIN.left - MARGIN.right);
  const y = (ms: number) =>
    MARGIN.top +
    (1 - (Math.log(Math.max(ms, 100)) - least) / (most - least)) *
      (HEIGHT - MARGIN.top - MARGIN.bottom);
  const marks = SCALE_MARKS.filter((ms) => Math.log(ms) > least && Math.log(ms) < most);
  return (
    <figure class="chart">
      <div class="chart-plot">
        <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={title}>
          {marks.map((ms) => (
            <line
              key={ms}
              class="grid"
              x1={MARGIN.left}
              x2={WIDTH - MARGIN.right}
              y1={y(ms)}
              y2={y(ms)}
            />
          ))}
          {(['high', 'low'] as const).map((line) => (
            <g key={line} class={line}>
              <path d={pathOf(points, line, x, y)} />
              {points.map((point, index) => {
                const ms = point[line];
                return (
                  ms !== null && (
                    <circle key={point.name} cx={x(index)} cy={y(ms)} r="3.5">
                      <title>{`${point.name}: ${spanText(ms)}`}</title>
                    </circle>
                  )
                );
              })}
            </g>
          ))}
        </svg>
        {marks.map((ms) => (
          <span
            key={ms}
            class="mark"
            aria-hidden="true"
            style={{ bottom: `${percentFromBelow(y(ms))}%` }}
          >
            {spanText(ms)}
          </span>
        ))}
      </div>
      <p class="chart-ends" aria-hidden="true">
        <span>{points[0]?.name}</span>
        <span>{points.at(-1)?.name}</span>
      </p>
      <figcaption class="about">
        <span class="key low">{t('Median')}</span> <span class="key high">{t('95 %')}</span>
      </figcaption>
      <details>
        <summary>{t('As a table')}</summary>
        <AnswerTimesTable heading={t('From')} rows={points} />
      </details>
    </figure>
  );
}

/** Times without an answer leave a gap. */
function pathOf(
  points: readonly AnswerTimesRow[],
  line: 'low' | 'high',
  x: (index: number) => number,
  y: (ms: number) => number,
): string {
  let isDrawing = false;
  return points
    .map((point, index) => {
      const ms = point[line];
      if (ms === null) {
        isDrawing = false;
        return '';
      }
      const step = `${isDrawing ? 'L' : 'M'}${x(index).toFixed(1)} ${y(ms).toFixed(1)}`;
      isDrawing = true;
      return step;
    })
    .join('');
}

const SPAN_UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const;

/** A measured span, to two digits: "12 sec", "1.5 hr". A dash where nothing was measured. */
function spanText(ms: number | null): string {
  if (ms === null) return '–';
  const [unit, size] = SPAN_UNITS.find(([, size]) => ms >= size) ?? ['second', 1_000];
  if (ms < 100) return t('at once');
  return formatNumber(ms / size, {
    style: 'unit',
    unit,
    unitDisplay: 'short',
    maximumSignificantDigits: 2,
  });
}
