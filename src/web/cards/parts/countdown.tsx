import type { Interaction } from '../../../protocol/types.ts';
import { type Clock, useNow } from '../../clock.ts';
import { countdownOf } from '../../model/cards/countdown.ts';
import { Button } from '../../ui/button.tsx';

interface Props {
  readonly record: Interaction;
  readonly clock: Clock;
  /** Asks for more time, where one may. */
  readonly onExtend?: (() => void) | undefined;
}

/** How long there is to answer; more can be had once, when it gets short. */
export function CountdownMark({ record, clock, onExtend }: Props) {
  const first = countdownOf(record, clock.now());
  const now = useNow(clock, first?.nextMs ?? null);
  const countdown = countdownOf(record, now);
  if (countdown === undefined) return null;
  return (
    <span class={`countdown ${countdown.level}`}>
      <span>{countdown.text}</span>
      <span class="unseen" role="status">
        {countdown.said}
      </span>
      {countdown.canExtend && onExtend !== undefined && (
        <Button kind="quiet" onClick={onExtend}>
          More time
        </Button>
      )}
    </span>
  );
}
