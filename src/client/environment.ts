/** The environment of a client: clock, random numbers, and a page that may be hidden or offline. */

export interface Environment {
  now(): number;
  /** From 0 to 1. */
  chance(): number;
  /** Calls back once; the returned function cancels that. */
  after(ms: number, work: () => void): () => void;
  readonly isOnline: boolean;
  readonly isVisible: boolean;
  /** Reports every change; the returned function stops that. */
  watch(listener: (change: 'online' | 'offline' | 'visible' | 'hidden') => void): () => void;
}

interface EventSource {
  addEventListener?(type: string, listener: () => void, until: { signal: AbortSignal }): void;
}

/** Only browsers have these; Node and Workers are always online and visible. */
interface BrowserGlobals extends EventSource {
  readonly navigator?: { readonly onLine?: boolean };
  readonly document?: EventSource & { readonly visibilityState?: string };
}

export function thisEnvironment(): Environment {
  const globals = globalThis as unknown as BrowserGlobals;
  const isVisible = () => globals.document?.visibilityState !== 'hidden';
  return {
    now: () => Date.now(),
    chance: () => Math.random(),
    after(ms, work) {
      const timer = setTimeout(work, ms);
      return () => clearTimeout(timer);
    },
    get isOnline() {
      return globals.navigator?.onLine !== false;
    },
    get isVisible() {
      return isVisible();
    },
    watch(listener) {
      const end = new AbortController();
      for (const change of ['online', 'offline'] as const) {
        globals.addEventListener?.(change, () => listener(change), end);
      }
      const report = () => listener(isVisible() ? 'visible' : 'hidden');
      globals.document?.addEventListener?.('visibilitychange', report, end);
      return () => end.abort();
    },
  };
}
