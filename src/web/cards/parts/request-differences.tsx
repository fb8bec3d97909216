import { useMemo } from 'preact/hooks';
import { differencesBetween } from '../../../display/request-differences.ts';
import type { Interaction } from '../../../protocol/types.ts';
import { t, tn } from '../../model/language.ts';
import { Literal } from '../../ui/literal.tsx';
import { LinesView } from '../input/diff-view.tsx';

interface RequestDifferencesProps {
  readonly from: Interaction;
  readonly record: Interaction;
}

/** The removed and added lines of each field. */
function RequestDifferences({ from, record }: RequestDifferencesProps) {
  const differences = useMemo(() => differencesBetween(from, record), [from, record.request]);
  if (differences.length === 0) return <p>{t('It is what was asked at first.')}</p>;
  return (
    <dl>
      {differences.map(({ name, lines, more }) => (
        <div key={name}>
          <dt>
            <Literal text={name} />
          </dt>
          <dd>
            <LinesView lines={lines} />
            {more > 0 && (
              <p class="card-hint">{tn(more, '… and 1 more line', '… and {count} more lines')}</p>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Announces that the agent changed its request, and marks the difference. */
export function ChangedRequest({ from, record }: RequestDifferencesProps) {
  return (
    <section class="changed">
      <p role="alert">
        <strong>{t('The agent changed its request.')}</strong>{' '}
        {t('Read it again before you answer.')}
      </p>
      <RequestDifferences from={from} record={record} />
    </section>
  );
}
