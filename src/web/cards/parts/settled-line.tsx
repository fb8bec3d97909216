import type { Interaction } from '../../../client/words.ts';
import { Icon, type IconName } from '../../components/icon.tsx';
import { byWhom, outcomeWord, toneOf, type Witness } from '../../model/cards/state.ts';
import { honestProse } from '../../model/escapes.ts';
import { exactly } from '../../model/times.ts';

const ICONS: Readonly<Record<string, IconName>> = {
  approved: 'check',
  answered: 'check',
  denied: 'cross',
};

/** How it ended, by whom and when, in one line. */
export function SettledLine({ record, witness }: { record: Interaction; witness: Witness }) {
  const who = byWhom(record, witness);
  return (
    <p class={`settled-line ${toneOf(record, witness)}`}>
      <Icon name={ICONS[record.outcome ?? ''] ?? 'dots'} />
      <strong>{outcomeWord(record)}</strong>
      {who !== '' && <span>{honestProse(who)}</span>}
      {record.settledAt !== null && (
        <time dateTime={new Date(record.settledAt).toISOString()}>{exactly(record.settledAt)}</time>
      )}
    </p>
  );
}
