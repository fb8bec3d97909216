import { useState } from 'preact/hooks';
import { REASON_CHARS } from '../../protocol/limits.ts';
import { isComposing, withKey } from '../cards/card-keys.ts';
import { useArmed } from '../cards/use-armed.ts';
import type { ServerClock } from '../clock.ts';
import { FailureNote } from '../hooks/use-async-action.tsx';
import { keysOf } from '../model/inbox-actions.ts';
import type { InboxItem } from '../model/inbox.ts';
import { mayApproveAll } from '../model/inbox-batch.ts';
import { t, tn } from '../model/language.ts';
import { Button } from '../ui/button.tsx';
import type { DecideTogether } from './use-decide-together.ts';

interface BatchBarProps {
  readonly items: readonly InboxItem[];
  /** What was shown whole, by `alikeKeyOf`. */
  readonly seen: ReadonlySet<string>;
  readonly deciding: DecideTogether;
  readonly clock: ServerClock;
  readonly isLive: boolean;
  readonly onShowUnseen: () => void;
  readonly onClear: () => void;
}

/** Decides the selected requests; each has a result of its own, in its row. */
export function BatchBar(props: BatchBarProps) {
  const { items, seen, deciding, clock, isLive, onShowUnseen, onClear } = props;
  const { isBusy, failure, decide } = deciding;
  const isArmed = useArmed(clock, items.map(({ key }) => key).join('\n'));
  const [reason, setReason] = useState('');
  const areSeen = mayApproveAll(items, seen);
  const sessions = new Set(items.map(({ entry }) => entry.sessionId)).size;
  const hold = isArmed ? undefined : 'arming';
  const count = items.length;
  const deny = () => void decide(items, 'deny', reason.trim());
  return (
    <section class="batch-bar" aria-label={t('Selected requests')}>
      <p>
        <strong role="status">{tn(count, '{count} selected', '{count} selected')}</strong>
        {sessions > 1 && <span>{tn(sessions, 'in {count} session', 'in {count} sessions')}</span>}
      </p>
      {!areSeen && (
        <p class="card-hint" id="batch-unseen">
          {t('Look at each of them in full to approve. Requests that ask the same count once.')}
        </p>
      )}
      <label class="batch-reason">
        <span class="unseen">{t('Reason of a denial (optional, shown to the agent)')}</span>
        <input
          {...withKey('d', true)}
          dir="auto"
          maxLength={REASON_CHARS}
          value={reason}
          placeholder={t('Reason of a denial')}
          onInput={({ currentTarget }) => setReason(currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || isComposing(event) || event.repeat) return;
            event.preventDefault();
            if (isLive && !isBusy && isArmed) deny();
          }}
        />
      </label>
      <div class="card-actions">
        <Button
          kind="primary"
          {...withKey('a', true)}
          isBusy={isBusy}
          disabled={!isLive}
          hold={areSeen ? hold : 'missing'}
          onHeld={onShowUnseen}
          aria-describedby={areSeen ? undefined : 'batch-unseen'}
          onClick={() => void decide(items, 'approve')}
        >
          {tn(count, 'Approve {count}', 'Approve {count}')}
        </Button>
        <Button kind="danger" disabled={!isLive || isBusy} hold={hold} onClick={deny}>
          {tn(count, 'Deny {count}', 'Deny {count}')}
        </Button>
        <Button kind="quiet" aria-keyshortcuts={keysOf('back')} disabled={isBusy} onClick={onClear}>
          {t('Clear selection')}
        </Button>
      </div>
      <FailureNote text={failure} />
    </section>
  );
}
