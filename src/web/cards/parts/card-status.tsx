import type { Interaction } from '../../../protocol/types.ts';
import { useNow, type ServerClock } from '../../clock.ts';
import { countdownOf } from '../../model/cards/countdown.ts';
import {
  asksForChanges,
  cardToneOf,
  deciderWords,
  outcomeWords,
  type Viewer,
} from '../../model/cards/outcome-words.ts';
import { escapeInvisible } from '../../../protocol/escapes.ts';
import { absoluteTime } from '../../model/absolute-time.ts';
import { t } from '../../model/language.ts';
import { Button, Icon, type IconName } from '../../ui/button.tsx';
import { audienceNames } from '../../model/audience.ts';

interface CardStatusProps {
  readonly record: Interaction;
  readonly me: Viewer;
  readonly clock: ServerClock;
  /** Extends the deadline; undefined where the person may not. */
  readonly onExtend?: (() => void) | undefined;
  /** In one row of a conversation, which has the time beside it. */
  readonly isInRow?: boolean;
}

/** The time left on an open card, or how the interaction ended. */
export function CardStatus(props: CardStatusProps) {
  return props.record.status === 'open' ? <CountdownText {...props} /> : <OutcomeLine {...props} />;
}

/** The time left to answer. It can be extended once, when it gets short. */
function CountdownText({ record, clock, onExtend }: CardStatusProps) {
  const first = countdownOf(record, clock.now());
  const now = useNow(clock, first?.nextMs ?? null);
  const countdown = countdownOf(record, now);
  if (countdown === undefined) return null;
  return (
    <span class={`countdown ${countdown.level}`}>
      <span>{countdown.text}</span>
      <span class="unseen" role="status">
        {countdown.announcement}
      </span>
      {countdown.canExtend && onExtend !== undefined && (
        <Button kind="quiet" onClick={onExtend}>
          {t('More time')}
        </Button>
      )}
    </span>
  );
}

const STATUS_ICONS: Readonly<Record<string, IconName>> = {
  approved: 'check',
  answered: 'check',
  denied: 'cross',
};

/** The outcome, who decided and when, in one line. */
function OutcomeLine({ record, me, isInRow }: CardStatusProps) {
  const who = deciderWords(record, me);
  return (
    <p class={`settled-line ${cardToneOf(record, me)}`}>
      <Icon
        name={asksForChanges(record) ? 'retry' : (STATUS_ICONS[record.outcome ?? ''] ?? 'dots')}
      />
      <strong>{outcomeWords(record)}</strong>
      {who !== '' && <span>{escapeInvisible(who)}</span>}
      {record.settledAt !== null && isInRow !== true && (
        <time dateTime={new Date(record.settledAt).toISOString()}>
          {absoluteTime(record.settledAt)}
        </time>
      )}
    </p>
  );
}

/** Who is asked; nothing where everyone is. */
export function CardAudience({ record: { audience } }: { readonly record: Interaction }) {
  return (
    audience && (
      <p class="card-audience" dir="auto">
        {t('For {audience}', { audience: audienceNames(audience) })}
      </p>
    )
  );
}
