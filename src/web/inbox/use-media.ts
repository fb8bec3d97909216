import { useEffect, useState } from 'preact/hooks';

/** Whether a media query holds, as the window changes. */
export function useMedia(query: string): boolean {
  const [isTrue, setTrue] = useState(() => matchMedia(query).matches);
  useEffect(() => {
    const list = matchMedia(query);
    const note = () => setTrue(list.matches);
    note();
    list.addEventListener('change', note);
    return () => list.removeEventListener('change', note);
  }, [query]);
  return isTrue;
}

/** The media query of a window with room for the list and a card beside each other; `inbox.css` has the same. */
export const WIDE = '(min-width: 60rem)';
