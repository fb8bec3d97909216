import { type KeyValueStore, storeIn } from './model/key-value-store.ts';

/** The parts of the browser that the chat needs; a test replaces them. */
export interface Browser {
  readonly store: KeyValueStore;
  readonly path: string;
  fragment(): string;
  /** Adds an entry to the history, or replaces the current one. */
  go(address: string, how: 'push' | 'replace'): void;
  /** Calls back after the person navigates; the result stops it. */
  watch(onMove: () => void): () => void;
}

export const browser: Browser = {
  store: storeIn(() => localStorage),
  get path() {
    return location.pathname;
  },
  fragment: () => location.hash,
  go(address, how) {
    if (how === 'push') history.pushState(null, '', address);
    else history.replaceState(null, '', address);
  },
  watch(onMove) {
    // A link fires `hashchange`; going back fires `popstate`.
    const events = ['hashchange', 'popstate'];
    const follow = (event: MouseEvent) => {
      if (followsWithin(event)) onMove();
    };
    addEventListener('click', follow);
    for (const name of events) addEventListener(name, onMove);
    return () => {
      removeEventListener('click', follow);
      for (const name of events) removeEventListener(name, onMove);
    };
  },
};

/** Between the sessions and the inbox: the browser would load the same page again, and lose what is open in it. */
function followsWithin(event: MouseEvent): boolean {
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  const isPlain = !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey);
  if (link === null || !isPlain || event.defaultPrevented || link.target !== '') return false;
  const { origin, pathname, href } = link;
  const isWithin = origin === location.origin && /^\/(?:inbox)?$/.test(pathname);
  if (!isWithin || pathname === location.pathname) return false;
  event.preventDefault();
  history.pushState(null, '', href);
  return true;
}
