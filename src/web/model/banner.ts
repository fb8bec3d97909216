/** The message about the connection; undefined while it is well, or was a moment ago. */
import type { ConnectionStatus } from '../../client/transport.ts';
import { failureText } from './failure.ts';
import { t } from './language.ts';

export interface Banner {
  readonly tone: 'amber' | 'red';
  readonly text: string;
  readonly canRetry: boolean;
}

export function bannerOf(
  status: ConnectionStatus,
  now: number,
  isSlow = false,
): Banner | undefined {
  switch (status.type) {
    case 'connecting':
    case 'replaying':
    case 'live':
      return isSlow ? slowBanner() : undefined;
    case 'waiting': {
      const seconds = Math.ceil((status.retryAt - now) / 1_000);
      const text =
        seconds > 0
          ? t('The connection was lost. Trying again in {seconds} s.', { seconds })
          : t('The connection was lost. Trying again…');
      return { tone: 'amber', text, canRetry: true };
    }
    case 'paused':
      if (status.reason === 'hidden') return undefined;
      return status.reason === 'offline'
        ? { tone: 'amber', text: t('You are offline. What you see may be old.'), canRetry: false }
        : { tone: 'red', text: t('You are not signed in any more.'), canRetry: true };
    case 'closed':
      return status.error === undefined
        ? undefined
        : { tone: 'red', text: failureText(status.error), canRetry: false };
  }
}

function slowBanner(): Banner {
  const text = t('The server takes long to answer. Still trying.');
  return { tone: 'amber', text, canRetry: false };
}

/** Without a connection the page may be out of date, and an answer could address a request that is gone. */
export function hasConnection(status: ConnectionStatus): boolean {
  return status.type === 'live' || status.type === 'replaying';
}
