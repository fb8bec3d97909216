/**
 * Whether a session was ever begun, asked without waking its object.
 *
 * Under plain workerd an object that is woken makes a file, with an alarm to look for and three
 * descriptors, before it can say that there is no such session. Anybody who may read could so fill a
 * disk with ids that nobody used. The file itself is the answer: it is there before the answer to
 * whoever begins a session, and after a crash. On Cloudflare an object that writes nothing leaves
 * nothing, and there are no files to look at.
 */
import type { Env } from './env.ts';

/** Names, of some hundred bytes each. */
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
