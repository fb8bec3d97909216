/** Stores texts on this device; a store without permission forgets them. */
export interface KeyValueStore {
  get(name: string): string | undefined;
  set(name: string, value: string): unknown;
  remove(name: string): unknown;
}

/** The part of the browser's storage that is used; the pages of answer links are checked without the types of a browser. */
interface TextStorage {
  getItem(name: string): string | null;
  setItem(name: string, value: string): void;
  removeItem(name: string): void;
}

/** A private window may refuse to store or throw at the first access; the chat works without storage. */
export function storeIn(storage: () => TextStorage): KeyValueStore {
  const tried = <Value>(work: (storage: TextStorage) => Value): Value | undefined => {
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

/** The way back to another workspace (`model/home-workspace.ts`); it ends with the sign-in. */
export const HOME_NAME = 'holdpoint.home';
/** Set while this browser is notified by push: the open inbox must not notify as well. */
export const PUSHED_NAME = 'holdpoint.pushed';
