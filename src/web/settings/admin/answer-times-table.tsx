import { t } from '../../model/language.ts';
import { spanText } from '../../model/span-text.ts';

/** How long the answers of one day, hour or kind took. */
export interface AnswerTimesRow {
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

export function AnswerTimesTable({ heading, rows }: AnswerTimesTableProps) {
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
