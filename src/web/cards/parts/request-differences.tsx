import { useMemo } from 'preact/hooks';
import type { Interaction } from '../../../protocol/types.ts';
import { t } from '../../model/language.ts';
import { Literal } from '../../ui/literal.tsx';
import { type DifferentLine, differencesBetween } from '../../model/cards/request-differences.ts';

interface RequestDifferencesProps {
  readonly from: Interaction;
  readonly record: Interaction;
}

const MARK_SIGNS: Readonly<Record<DifferentLine['mark'], string>> = {
  same: ' ',
  gone: '−',
  new: '+',
};
function markWords(mark: DifferentLine['mark']): string {
  if (mark === 'same') return '';
  return mark === 'gone' ? `${t('removed:')} ` : `${t('added:')} `;
}

/** The removed and added lines of each field. */
export function RequestDifferences({ from, record }: RequestDifferencesProps) {
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
            {lines.map(({ mark, text }, at) => (
              <code key={at} class={mark}>
                <span aria-hidden="true">{MARK_SIGNS[mark]} </span>
                <span class="unseen">{markWords(mark)}</span>
                <Literal text={text} />
              </code>
            ))}
            {more > 0 && <p class="card-hint">{t('… and {count} more lines', { count: more })}</p>}
          </dd>
        </div>
      ))}
    </dl>
  );
}
