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
  path: location.pathname,
  fragment: () => location.hash,
  go(address, how) {
    if (how === 'push') history.pushState(null, '', address);
    else history.replaceState(null, '', address);
  },
  watch(onMove) {
    // A link fires `hashchange`; going back fires `popstate`.
    addEventListener('hashchange', onMove);
    addEventListener('popstate', onMove);
    return () => {
      removeEventListener('hashchange', onMove);
      removeEventListener('popstate', onMove);
    };
  },
};
