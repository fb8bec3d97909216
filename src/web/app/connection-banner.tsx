import type { ConnectionStatus } from '../../client/subscription.ts';
import { type ServerClock, useNow } from '../clock.ts';
import { bannerOf } from '../model/banner.ts';
import { SECOND_MS } from '../model/times.ts';

interface ConnectionBannerProps {
  readonly status: ConnectionStatus;
  /** Something was sent a while ago and has not been answered. */
  readonly isSlow: boolean;
  readonly clock: ServerClock;
  readonly onReconnect: () => void;
}

/** Said when what is shown may be old, and over everything else. */
export function ConnectionBanner({ status, isSlow, clock, onReconnect }: ConnectionBannerProps) {
  // `retryAt` is by the clock at hand, not by the server's.
  useNow(clock, status.type === 'waiting' ? SECOND_MS : null);
  const banner = bannerOf(status, Date.now(), isSlow);
  return (
    <div role="status" class={banner === undefined ? 'banner none' : `banner ${banner.tone}`}>
      {banner !== undefined && (
        <>
          <span>{banner.text}</span>
          {banner.canRetry && (
            <button type="button" class="link" onClick={onReconnect}>
              Try now
            </button>
          )}
        </>
      )}
    </div>
  );
}
