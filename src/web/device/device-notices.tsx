/** What the page says about this device, over everything else: no server, or another version that is ready. */
import { useEffect, useState } from 'preact/hooks';
import { t } from '../model/language.ts';
import { Button } from '../ui/button.tsx';
import { startServiceWorker } from './start-service-worker.ts';

const AGAIN_MS = 5_000;

export function DeviceNotices() {
  const [reload, setReload] = useState<() => void>();
  const isReachable = useReach();
  useEffect(() => {
    // Without a service worker the chat works as a page, while the server answers.
    startServiceWorker({ onOther: (show) => setReload(() => show) }).catch(() => undefined);
  }, []);
  return (
    <>
      <div role="status" class={isReachable ? 'banner none' : 'banner amber out-of-reach'}>
        {!isReachable && (
          <span>{t('Holdpoint cannot be reached. What you see may be old. Trying again…')}</span>
        )}
      </div>
      <div role="status" class={reload === undefined ? 'banner none' : 'banner fresh'}>
        {reload !== undefined && (
          <>
            <span>{t('A new version is ready.')}</span>
            <Button kind="plain" onClick={reload}>
              {t('Reload')}
            </Button>
          </>
        )}
      </div>
    </>
  );
}

/** Whether the server answers: asked at the start, and after the browser noticed that the network came or went. */
function useReach(): boolean {
  const [isReachable, setReachable] = useState(true);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const ask = async () => {
      clearTimeout(timer);
      const isUp = await answers();
      setReachable(isUp);
      if (!isUp) timer = setTimeout(() => void ask(), AGAIN_MS);
    };
    const again = () => void ask();
    addEventListener('online', again);
    addEventListener('offline', again);
    again();
    return () => {
      clearTimeout(timer);
      removeEventListener('online', again);
      removeEventListener('offline', again);
    };
  }, []);
  return isReachable;
}

async function answers(): Promise<boolean> {
  try {
    const response = await fetch('/health', { cache: 'no-store' });
    await response.arrayBuffer();
    return response.ok;
  } catch {
    return false;
  }
}
