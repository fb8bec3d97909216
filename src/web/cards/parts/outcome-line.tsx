import type { Interaction } from '../../../protocol/types.ts';
import { Icon, type IconName } from '../../ui/icon.tsx';
import { byWhom, type Me, outcomeWord, toneOf } from '../../model/cards/outcome-words.ts';
import { honestProse } from '../../model/escapes.ts';
import { exactly } from '../../model/times.ts';

const ICONS: Readonly<Record<string, IconName>> = {
  approved: 'check',
  answered: 'check',
  denied: 'cross',
};

/** How it ended, by whom and when, in one line. */
export function SettledLine({ record, me }: { record: Interaction; me: Me }) {
  const who = byWhom(record, me);
  return (
    <p class={`settled-line ${toneOf(record, me)}`}>
      <Icon name={ICONS[record.outcome ?? ''] ?? 'dots'} />
      <strong>{outcomeWord(record)}</strong>
      {who !== '' && <span>{honestProse(who)}</span>}
      {record.settledAt !== null && (
        <time dateTime={new Date(record.settledAt).toISOString()}>{exactly(record.settledAt)}</time>
      )}
    </p>
  );
}
