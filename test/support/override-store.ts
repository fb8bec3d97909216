/** A store with the methods of another store, except for the given methods. */
import type { SessionStore } from '../../src/session/ports.ts';

export function overrideStore(store: SessionStore, methods: Partial<SessionStore>): SessionStore {
  return new Proxy(store, {
    get(inner, name) {
      const own: unknown = Reflect.get(methods, name);
      if (own !== undefined) return own;
      const value: unknown = Reflect.get(inner, name);
      // A class with private fields does not work with a proxy as `this`.
      return typeof value === 'function' ? value.bind(inner) : value;
    },
  });
}
