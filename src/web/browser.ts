import type { Browser } from './app/app.tsx';
import { storeIn } from './model/key-value-store.ts';

export const browser: Browser = {
  store: storeIn(() => localStorage),
  path: location.pathname,
  fragment: () => location.hash,
  go(address, how) {
    if (how === 'push') history.pushState(null, '', address);
    else history.replaceState(null, '', address);
  },
  watch(moved) {
    // `hashchange` is told after a link, `popstate` after a step back.
    addEventListener('hashchange', moved);
    addEventListener('popstate', moved);
    return () => {
      removeEventListener('hashchange', moved);
      removeEventListener('popstate', moved);
    };
  },
};
