import type { Keep } from '../../../src/web/model/key-value-store.ts';

export function keepInMemory(kept: Record<string, string> = {}): Keep {
  const texts = new Map(Object.entries(kept));
  return {
    get: (name) => texts.get(name),
    set: (name, value) => texts.set(name, value),
    remove: (name) => texts.delete(name),
  };
}
