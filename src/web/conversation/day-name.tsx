import { useNow, type ServerClock } from '../clock.ts';
import { dayText, MINUTE_MS } from '../model/times.ts';

interface DayNameProps {
  readonly at: number;
  readonly clock: ServerClock;
}

/** The day on which the rows below it happened. */
export function DayName({ at, clock }: DayNameProps) {
  const now = useNow(clock, MINUTE_MS);
  return (
    <p class="day">
      <time dateTime={localDate(at)}>{dayText(at, now)}</time>
    </p>
  );
}

function localDate(at: number): string {
  const day = new Date(at);
  const parts = [day.getFullYear(), day.getMonth() + 1, day.getDate()];
  return parts.map((part) => String(part).padStart(2, '0')).join('-');
}
