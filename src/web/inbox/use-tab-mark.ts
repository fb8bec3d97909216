/** Shows the number of open requests in the title of the tab, and their presence in its icon. */
import { useEffect } from 'preact/hooks';

export function useTabMark(count: number): void {
  useEffect(() => {
    document.title = count > 0 ? `(${count}) Inbox · Holdpoint` : 'Inbox · Holdpoint';
  }, [count]);
  const isWaiting = count > 0;
  useEffect(() => {
    const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
    // The page names the other icon, because its file name contains a hash.
    const marked = document.querySelector<HTMLMetaElement>('meta[name="waiting-icon"]')?.content;
    if (!isWaiting || link === null || marked === undefined) return;
    const plain = link.href;
    link.href = marked;
    return () => {
      link.href = plain;
    };
  }, [isWaiting]);
}
