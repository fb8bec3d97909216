import { useEffect, useState } from 'preact/hooks';
import { t } from '../model/language.ts';
import type { AdminPageProps } from './admin/admin-page.tsx';

type AdminPages = typeof import('./admin/admin-page.tsx');

let pages: AdminPages | undefined;
const FETCH_AGAIN_MS = 5_000;

/** A page for administrators, whose code is fetched when one of them is opened for the first time. */
export function LazyAdminPage(props: AdminPageProps) {
  const [, setTries] = useState(0);
  const isHere = pages !== undefined;
  useEffect(() => {
    if (isHere) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const attempt = async () => {
      try {
        pages = await import('./admin/admin-page.tsx');
        setTries((count) => count + 1);
      } catch {
        // The server is out of reach; the page says that it loads.
        timer = setTimeout(() => void attempt(), FETCH_AGAIN_MS);
      }
    };
    void attempt();
    return () => clearTimeout(timer);
  }, [isHere]);
  if (pages === undefined) return <p class="muted">{t('Loading…')}</p>;
  return <pages.AdminPage key={props.section} {...props} />;
}
