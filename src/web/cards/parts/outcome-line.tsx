import type { Interaction } from '../../../protocol/types.ts';
import { Icon, type IconName } from '../../ui/icon.tsx';
import {
  asksForChanges,
  deciderWords,
  type Viewer,
  outcomeWords,
  cardToneOf,
} from '../../model/cards/outcome-words.ts';
import { escapeInvisible } from '../../model/escapes.ts';
import { absoluteTime } from '../../model/times.ts';

const ICONS: Readonly<Record<string, IconName>> = {
  approved: 'check',
  answered: 'check',
  denied: 'cross',
};

/** The outcome, who decided and when, in one line. */
export function OutcomeLine({ record, me }: { record: Interaction; me: Viewer }) {
  const who = deciderWords(record, me);
  return (
    <p class={`settled-line ${cardToneOf(record, me)}`}>
      <Icon name={asksForChanges(record) ? 'retry' : (ICONS[record.outcome ?? ''] ?? 'dots')} />
      <strong>{outcomeWords(record)}</strong>
      {who !== '' && <span>{escapeInvisible(who)}</span>}
      {record.settledAt !== null && (
        <time dateTime={new Date(record.settledAt).toISOString()}>
          {absoluteTime(record.settledAt)}
        </time>
      )}
    </p>
  );
}
