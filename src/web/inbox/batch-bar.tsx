import { useState } from 'preact/hooks';
import type { Transport } from '../../client/transport.ts';
import { useArmed } from '../cards/use-armed.ts';
import type { ServerClock } from '../clock.ts';
import { Button } from '../ui/button.tsx';
import { Literal } from '../ui/literal.tsx';
import { FailureNote, useAsyncAction } from '../hooks/use-async-action.tsx';
import { escapeInvisible } from '../../protocol/escapes.ts';
import type { InboxItem } from '../model/inbox.ts';
import { decisionsOn, mayApproveAll } from '../model/inbox-batch.ts';

interface BatchBarProps {
  /** Items of one tool in one session; at least one. */
  readonly items: readonly InboxItem[];
  /** The full input of every item has been in the window. */
  readonly areSeen: boolean;
  readonly transport: Transport;
  readonly clock: ServerClock;
  readonly isLive: boolean;
  readonly onDone: (keys: readonly string[]) => void;
  readonly onClear: () => void;
}

/** Decides the selected items one by one, so that one failure does not stop the others. */
export function BatchBar({
  items,
  areSeen,
  transport,
  clock,
  isLive,
  onDone,
  onClear,
}: BatchBarProps) {
  const keys = items.map(({ key }) => key);
  const isArmed = useArmed(clock, keys.join('\n'));
  const { isBusy, failure, run } = useAsyncAction();
  const [refused, setRefused] = useState<string>();
  const first = items[0]?.entry;
  if (first === undefined) return null;
  const { sessionId, sessionTitle, toolName } = first;
  const areWhole = mayApproveAll(items);
  const decide = (decision: 'approve' | 'deny') =>
    run(async () => {
      const results = await transport.decide(sessionId, decisionsOn(items, decision));
      const failed = results.flatMap((result) => (result.ok ? [] : [result.message]));
      setRefused(failed.length > 0 ? `${failed.length} not decided: ${failed[0]}` : undefined);
      onDone(keys.filter((_, at) => results[at]?.ok === true));
    });
  return (
    <section class="batch-bar" aria-label="Selected requests">
      <p>
        <strong>{items.length} selected</strong>
        <span>
          <Literal text={toolName} /> in {escapeInvisible(sessionTitle ?? sessionId)}
        </span>
        {!areWhole && <span class="card-hint">Long inputs are approved one by one.</span>}
        {areWhole && !areSeen && <span class="card-hint">Scroll to all of them to approve.</span>}
      </p>
      <div class="card-actions">
        <Button
          kind="primary"
          isBusy={isBusy}
          disabled={!isLive || !areWhole || !areSeen}
          hold={isArmed ? undefined : 'arming'}
          onClick={() => void decide('approve')}
        >
          Approve {items.length}
        </Button>
        <Button
          kind="danger"
          disabled={!isLive || isBusy}
          hold={isArmed ? undefined : 'arming'}
          onClick={() => void decide('deny')}
        >
          Deny {items.length}
        </Button>
        <Button kind="quiet" disabled={isBusy} onClick={onClear}>
          Clear selection
        </Button>
      </div>
      <FailureNote text={failure ?? refused} />
    </section>
  );
}
