import type { Turn } from '../../client/timeline/index.ts';
import { useAsyncAction } from '../hooks/use-async-action.ts';
import { endText } from '../model/session-words.ts';
import { Button } from '../ui/button.tsx';
import { FailureNote } from '../ui/failure-note.tsx';
import { Icon } from '../ui/icon.tsx';

interface TurnEndRowProps {
  readonly turn: Turn;
  /** Undefined where the turn cannot be retried. */
  readonly onRetry: (() => Promise<unknown>) | undefined;
}

/** How a turn ended, unless it completed normally. */
export function TurnEndRow({ turn, onRetry }: TurnEndRowProps) {
  const { isBusy, failure, run } = useAsyncAction();
  if (turn.ended === undefined) return null;
  const isFailure = turn.ended.reason === 'error';
  return (
    <div class={isFailure ? 'trouble' : 'notice'}>
      <p>{endText(turn.ended)}</p>
      {onRetry !== undefined && (
        <Button isBusy={isBusy} onClick={() => void run(onRetry)}>
          <Icon name="retry" />
          Try again
        </Button>
      )}
      <FailureNote text={failure} />
    </div>
  );
}
