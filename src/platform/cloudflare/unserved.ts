/** An object whose storage this version does not know: it serves nothing, and says so in the log. */
import { UnknownSchema } from '../sqlite/migrate.ts';

/** `begin` makes the object; every request wakes it anew, so each leaves its line. */
export function orSayWhyNot<Made>(what: string, begin: () => Made): Made {
  try {
    return begin();
  } catch (cause) {
    if (cause instanceof UnknownSchema) {
      console.error(`Holdpoint does not serve ${what}: ${cause.message}`);
    }
    throw cause;
  }
}
