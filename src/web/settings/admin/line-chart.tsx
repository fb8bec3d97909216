import { AnswerTimesTable, type AnswerTimesRow } from './answer-times-table.tsx';
import { t } from '../../model/language.ts';
import { spanText } from '../../model/span-text.ts';

interface LineChartProps {
  readonly title: string;
  readonly points: readonly AnswerTimesRow[];
}

const WIDTH = 640;
const HEIGHT = 160;
const MARGIN = { left: 8, right: 8, top: 14, bottom: 22 };
/** A second, ten, a minute, ten, an hour, ten, four days: waits differ by factors, so the scale does too. */
const SCALE_MARKS = [1_000, 10_000, 60_000, 600_000, 3_600_000, 36_000_000, 345_600_000];

/** Median and 95th percentile over time, on a scale of factors; the same numbers as a table behind it. */
export function LineChart({ title, points }: LineChartProps) {
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
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={title}>
        {marks.map((ms) => (
          <g key={ms}>
            <line class="grid" x1={MARGIN.left} x2={WIDTH - MARGIN.right} y1={y(ms)} y2={y(ms)} />
            <text class="mark" x={MARGIN.left} y={y(ms) - 3}>
              {spanText(ms)}
            </text>
          </g>
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
        <text class="mark" x={MARGIN.left} y={HEIGHT - 6}>
          {points[0]?.name}
        </text>
        <text class="mark end" x={WIDTH - MARGIN.right} y={HEIGHT - 6}>
          {points.at(-1)?.name}
        </text>
      </svg>
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
