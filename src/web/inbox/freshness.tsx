interface FreshnessProps {
  readonly total: number;
  readonly asOf: number | null;
  readonly isLive: boolean;
}

const time = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' });

/** How much waits, and since when that is known: an inbox that is old must not look like one that is empty. */
export function Freshness({ total, asOf, isLive }: FreshnessProps) {
  if (asOf === null) return <p class="freshness">Looking…</p>;
  const count = total === 1 ? '1 question is open' : `${total} questions are open`;
  return (
    <p class={isLive ? 'freshness live' : 'freshness stale'}>
      <span role="status">{total === 0 ? 'Nothing is open' : count}</span>
      <span>
        {isLive ? 'Live, last change' : 'As of'}{' '}
        <time dateTime={new Date(asOf).toISOString()}>{time.format(asOf)}</time>
      </span>
    </p>
  );
}
