/** Where a client runs: its clock, its chance, and a page that may be hidden or offline. */

export interface Environment {
  now(): number;
  /** From 0 to 1. */
  chance(): number;
  /** Calls back once; what is returned takes it back. */
  after(ms: number, work: () => void): () => void;
  readonly isOnline: boolean;
  readonly isVisible: boolean;
  /** Tells of every change; what is returned stops it. */
  watch(tell: (change: 'online' | 'offline' | 'visible' | 'hidden') => void): () => void;
}

interface Listened {
  addEventListener?(type: string, listener: () => void, until: { signal: AbortSignal }): void;
}

/** What a browser has and others may not: in Node and in a Worker it is always online and visible. */
interface Surroundings extends Listened {
  readonly navigator?: { readonly onLine?: boolean };
  readonly document?: Listened & { readonly visibilityState?: string };
}

export function thisEnvironment(): Environment {
  const here = globalThis as unknown as Surroundings;
  const isVisible = () => here.document?.visibilityState !== 'hidden';
  return {
    now: () => Date.now(),
    chance: () => Math.random(),
    after(ms, work) {
      const timer = setTimeout(work, ms);
      return () => clearTimeout(timer);
    },
    get isOnline() {
      return here.navigator?.onLine !== false;
    },
    get isVisible() {
      return isVisible();
    },
    watch(tell) {
      const end = new AbortController();
      for (const change of ['online', 'offline'] as const) {
        here.addEventListener?.(change, () => tell(change), end);
      }
      const look = () => tell(isVisible() ? 'visible' : 'hidden');
      here.document?.addEventListener?.('visibilitychange', look, end);
      return () => end.abort();
    },
  };
}
