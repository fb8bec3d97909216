import type { ConnectionStatus } from '../../client/transport.ts';
import { type ServerClock, useNow } from '../clock.ts';
import { bannerOf } from '../model/banner.ts';
import { t } from '../model/language.ts';

const COUNT_MS = 1_000;

interface ConnectionBannerProps {
  readonly status: ConnectionStatus;
  /** A request has had no response for some time. */
  readonly isSlow: boolean;
  readonly clock: ServerClock;
  readonly onReconnect: () => void;
}

/** Warns, above everything else, that the page may be out of date. */
export function ConnectionBanner({ status, isSlow, clock, onReconnect }: ConnectionBannerProps) {
  // `retryAt` is in the browser's time, not the server's.
  useNow(clock, status.type === 'waiting' ? COUNT_MS : null);
  const banner = bannerOf(status, Date.now(), isSlow);
  return (
    <div role="status" class={banner === undefined ? 'banner none' : `banner ${banner.tone}`}>
      {banner !== undefined && (
        <>
          <span>{banner.text}</span>
          {banner.canRetry && (
            <button type="button" class="link" onClick={onReconnect}>
              {t('Try now')}
            </button>
          )}
        </>
      )}
    </div>
  );
}
