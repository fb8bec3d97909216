import type { Interaction } from '../../../protocol/types.ts';
import { type ServerClock, useNow } from '../../clock.ts';
import { countdownOf } from '../../model/cards/countdown.ts';
import { Button } from '../../ui/button.tsx';

interface CountdownTextProps {
  readonly record: Interaction;
  readonly clock: ServerClock;
  /** Extends the deadline; undefined where the person may not. */
  readonly onExtend?: (() => void) | undefined;
}

/** The time left to answer. It can be extended once, when it gets short. */
export function CountdownText({ record, clock, onExtend }: CountdownTextProps) {
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
          More time
        </Button>
      )}
    </span>
  );
}
