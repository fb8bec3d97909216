/** Stores texts on this device; a store without permission forgets them. */
export interface KeyValueStore {
  get(name: string): string | undefined;
  set(name: string, value: string): unknown;
  remove(name: string): unknown;
}

/** A private window may refuse to store or throw at the first access; the chat works without storage. */
export function storeIn(storage: () => Storage): KeyValueStore {
  const tried = <Value>(work: (storage: Storage) => Value): Value | undefined => {
    try {
      return work(storage());
    } catch {
      return undefined;
    }
  };
  return {
    get: (name) => tried((at) => at.getItem(name)) ?? undefined,
    set: (name, value) => tried((at) => at.setItem(name, value)),
    remove: (name) => tried((at) => at.removeItem(name)),
  };
}

/** Set while this browser is notified by push: the open inbox must not notify as well. */
export const PUSHED_NAME = 'holdpoint.pushed';
