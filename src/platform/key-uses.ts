/**
 * Which keys were used, for the list of keys.
 *
 * No request waits for it: a use is noted in memory when its credential is verified, and goes to the workspace with the
 * next policy that this isolate fetches anyway. A key is noted once an hour, so the workspace writes one row an hour for
 * a key. What is noted when an isolate ends is lost: the time is a hint for the administrator who revokes keys, and decides
 * nothing.
 */
import type { Credentials, Identity } from '../http/ports.ts';
import type { WorkspaceStub } from '../http/stubs.ts';
import type { KeyUse } from '../workspace/ports.ts';

const NOTE_EVERY_MS = 3_600_000;
/** Ids of about forty bytes. */
const MAX_NOTED = 10_000;

export class KeyUses {
  readonly #now: () => number;
  /** When each key was noted last, by workspace and key. */
  readonly #noted = new Map<string, number>();
  readonly #unsent = new Map<string, KeyUse[]>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** The same credentials; each that is verified counts as used. */
  watch(credentials: Credentials): Credentials {
    const note = (identity: Identity | undefined) => this.#note(identity);
    return {
      sign: (grant) => credentials.sign(grant),
      verify(token) {
        const verified = credentials.verify(token);
        return verified instanceof Promise ? verified.then(note) : note(verified);
      },
    };
  }

  #note(identity: Identity | undefined): Identity | undefined {
    if (identity !== undefined) this.#noteUse(identity);
    return identity;
  }

  #noteUse({ workspace, caller: { key } }: Identity): void {
    if (key === undefined || !key.startsWith('key_')) return;
    const at = this.#now();
    const name = `${workspace} ${key}`;
    const before = this.#noted.get(name);
    if (before !== undefined && Math.abs(at - before) < NOTE_EVERY_MS) return;
    if (this.#noted.size >= MAX_NOTED) this.#noted.clear();
    this.#noted.set(name, at);
    const unsent = this.#unsent.get(workspace) ?? [];
    unsent.push({ key, at });
    this.#unsent.set(workspace, unsent);
  }

  /** The policy of a workspace, in exchange for what was noted of its keys. */
  async exchange(name: string, workspace: Pick<WorkspaceStub, 'policy'>) {
    const uses = this.#unsent.get(name) ?? [];
    this.#unsent.delete(name);
    try {
      return await workspace.policy(uses);
    } catch (cause) {
      const since = this.#unsent.get(name) ?? [];
      if (uses.length + since.length > 0) this.#unsent.set(name, [...uses, ...since]);
      throw cause;
    }
  }
}
