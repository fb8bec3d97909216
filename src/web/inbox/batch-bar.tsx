import { useState, useRef } from 'preact/hooks';
import { REASON_CHARS, DECISIONS_PER_BATCH } from '../../protocol/limits.ts';
import { isComposing, withKey } from '../cards/card-keys.ts';
import { useArmed } from '../cards/use-armed.ts';
import type { ServerClock } from '../clock.ts';
import { FailureNote, useAsyncAction } from '../hooks/use-async-action.tsx';
import { keysOf } from '../model/inbox-actions.ts';
import { type InboxItem, inboxKeyOf } from '../model/inbox.ts';
import { mayApproveAll, decisionsOn } from '../model/inbox-batch.ts';
import { t, tn, serverText } from '../model/language.ts';
import { countChips } from '../model/label-chips.ts';
import { LabelChips } from '../ui/label-chips.tsx';
import { Button } from '../ui/button.tsx';
import { freshKey } from '../../client/requests/http-calls.ts';
import type { BatchResult, InboxDecision, Transport } from '../../client/transport.ts';

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
        <LabelChips chips={countChips(items.map(({ entry }) => entry.sessionLabels))} />
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

interface DecideTogether {
  readonly isBusy: boolean;
  readonly failure: string | undefined;
  /** By the key of the item. */
  readonly results: ReadonlyMap<string, string>;
  decide(
    items: readonly InboxItem[],
    decision: 'approve' | 'deny',
    reason?: string,
  ): Promise<unknown>;
}

interface SentBatch {
  readonly text: string;
  readonly key: string;
}

/**
 * Sends one decision for many requests, of one session or of several, and keeps what became of each.
 *
 * A lost reply is asked for again with the same keys, so that no request is decided twice and each has its first
 * result.
 */
export function useDecideTogether(
  transport: Transport,
  onDecided: (keys: readonly string[]) => void,
): DecideTogether {
  const { isBusy, failure, run } = useAsyncAction();
  const [results, setResults] = useState<ReadonlyMap<string, string>>(new Map());
  const sent = useRef<SentBatch>(undefined);
  const decide: DecideTogether['decide'] = (items, decision, reason) =>
    run(async () => {
      const wanted = decisionsOn(items, decision, reason);
      const text = JSON.stringify(wanted);
      if (sent.current?.text !== text) sent.current = { text, key: freshKey() };
      const { key } = sent.current;
      const keyed = wanted.map((one, at) => ({ ...one, idempotencyKey: `${key}-${at}` }));
      for (let from = 0; from < keyed.length; from += DECISIONS_PER_BATCH) {
        const part = keyed.slice(from, from + DECISIONS_PER_BATCH);
        const found = await transport.decideInbox(part);
        setResults((before) => new Map([...before, ...resultWords(part, found, decision)]));
        onDecided(part.filter((_, at) => isOver(found[at])).map(inboxKeyOf));
      }
      sent.current = undefined;
    });
  return { isBusy, failure, results, decide };
}

/** Decided now, or by another person before. */
function isOver(result: BatchResult | undefined): boolean {
  return result?.ok === true || result?.code === 'already_settled' || result?.code === 'not_found';
}

function resultWords(
  part: readonly InboxDecision[],
  results: readonly BatchResult[],
  decision: 'approve' | 'deny',
): [string, string][] {
  return part.map((one, at) => {
    const result = results[at];
    const done = decision === 'approve' ? t('Approved') : t('Denied');
    const words =
      result?.ok === true
        ? done
        : t('Not decided: {reason}', {
            reason: result === undefined ? t('no result') : serverText(result.message, result.code),
          });
    return [inboxKeyOf(one), words];
  });
}
