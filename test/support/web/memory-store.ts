import type { KeyValueStore } from '../../../src/web/model/key-value-store.ts';

export function memoryStore(kept: Record<string, string> = {}): KeyValueStore {
  const texts = new Map(Object.entries(kept));
  return {
    get: (name) => texts.get(name),
    set: (name, value) => texts.set(name, value),
    remove: (name) => texts.delete(name),
  };
}
