/**
 * Whether a session was ever created, found out without waking its object.
 *
 * Under plain workerd a wake creates a file, an alarm lookup and three descriptors before the object can say that there
 * is no such session. A caller with the scope `read` could fill a disk with unused ids. The file itself is the evidence:
 * it exists before the response to `session.create`, and after a crash. On Cloudflare an object that writes nothing
 * leaves nothing, and there are no files to look for.
 */
import type { Env } from './env.ts';

/** Names of about a hundred bytes each. */
const MAX_REMEMBERED_SESSIONS = 10_000;

export class StartedSessions {
  readonly #env: Pick<Env, 'SESSION' | 'SESSION_FILES'>;
  readonly #known = new Set<string>();

  constructor(env: Pick<Env, 'SESSION' | 'SESSION_FILES'>) {
    this.#env = env;
  }

  async has(name: string): Promise<boolean> {
    const { SESSION, SESSION_FILES } = this.#env;
    if (SESSION_FILES === undefined || this.#known.has(name)) return true;
    const address = `http://files/${SESSION.idFromName(name).toString()}.sqlite`;
    const { status } = await SESSION_FILES.fetch(address, { method: 'HEAD' });
    if (status === 404) return false;
    if (this.#known.size >= MAX_REMEMBERED_SESSIONS) this.#known.clear();
    this.#known.add(name);
    return true;
  }
}
