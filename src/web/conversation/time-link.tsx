import { useEffect, useState } from 'preact/hooks';
import { useNow, type ServerClock } from '../clock.ts';
import { addressOf, type Location } from '../model/location.ts';
import { t } from '../model/language.ts';
import { absoluteTime } from '../model/absolute-time.ts';
import { MINUTE_MS, relativeTime } from '../model/times.ts';
import { adoptStyle } from '../styles/adopt-style.ts';
import timesStyle from '../styles/times.css?inline';
import { copyText } from '../ui/copy-text.ts';

adoptStyle(timesStyle);

interface TimeLinkProps {
  readonly at: number;
  /** Undefined where no address leads. */
  readonly location: Location | undefined;
  readonly leadsTo: 'message' | 'request';
  readonly clock: ServerClock;
}

const LINK_RESULT_MS = 4_000;

/** When something happened, as the link to it. A press copies the link; the exact time is read on hover and focus. */
export function TimeLink({ at, location: place, leadsTo, clock }: TimeLinkProps) {
  const now = useNow(clock, MINUTE_MS);
  const [result, setResult] = useState('');
  useEffect(() => {
    if (result === '') return;
    const timer = setTimeout(() => setResult(''), LINK_RESULT_MS);
    return () => clearTimeout(timer);
  }, [result]);
  const relative = relativeTime(at, now);
  const absolute = absoluteTime(at);
  const time = `${relative}, ${absolute}`;
  const shown = (
    <time dateTime={new Date(at).toISOString()}>
      <span class="relative">{relative}</span>
      <span class="absolute">{absolute}</span>
    </time>
  );
  if (place === undefined) return <span class="time-link">{shown}</span>;
  const href = addressOf(place);
  const copy = async (event: MouseEvent) => {
    // With a modifier the browser opens the link.
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    const link = event.currentTarget as HTMLElement;
    const isCopied = await copyText(location.origin + href, link.parentElement);
    setResult(isCopied ? t('Link copied') : t('Not copied'));
  };
  return (
    <>
      <span role="status">{result}</span>
      <a
        class="time-link"
        href={href}
        aria-label={
          leadsTo === 'message'
            ? t('{time}: copy the link to this message', { time })
            : t('{time}: copy the link to this request', { time })
        }
        onClick={(event) => void copy(event)}
      >
        {shown}
      </a>
    </>
  );
}
