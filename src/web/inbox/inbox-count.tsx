import { t, tn } from '../model/language.ts';

interface InboxCountProps {
  readonly shown: number;
  readonly total: number;
  readonly isFiltered: boolean;
  /** The server has not looked through the whole inbox yet. */
  readonly hasMore: boolean;
  /** New ones that wait until the pointer leaves the list. */
  readonly waiting: number;
}

/** A list that leaves something out says so. */
export function InboxCount({ shown, total, hasMore, waiting, ...rest }: InboxCountProps) {
  return (
    <p class="inbox-count" role="status">
      {(rest.isFiltered || shown < total) &&
        (hasMore
          ? t('{shown} of {total} shown, more may match', { shown, total })
          : t('{shown} of {total} shown', { shown, total }))}
      {waiting > 0 && <strong>{tn(waiting, '{count} new', '{count} new')}</strong>}
    </p>
  );
}
