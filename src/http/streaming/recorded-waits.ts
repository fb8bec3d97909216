/**
 * The waits that workspaces have recorded, as far as this isolate knows.
 *
 * A workspace keeps the record of a credential in a session until the credential ends, so a second record of the same
 * two is a call without an effect. An agent that waits for an hour waits sixty-five times, and each of these calls
 * would wake its workspace.
 *
 * For up to 50 seconds after a revocation, while the isolate's copy of the policy is old, a wait can still begin. The
 * workspace has sent the revocation by then, so this wait lasts to its end; `long-poll.ts` refuses it before its response.
 */
import type { Identity } from '../ports.ts';
import type { WorkspaceStub } from '../stubs.ts';

export interface RecordedWait {
  readonly identity: Pick<Identity, 'workspace' | 'chain' | 'expiresAt'>;
  readonly sessionId: string;
  readonly workspace: Pick<WorkspaceStub, 'watch'>;
}

/** Names of some hundred bytes each. */
const MAX_REMEMBERED = 10_000;

export class RecordedWaits {
  readonly #known = new Set<string>();

  /** Resolves to whether the credential is revoked. */
  async record(wait: RecordedWait): Promise<boolean> {
    const { identity, sessionId, workspace } = wait;
    // A sign-in keeps its id when its end moves, and its record then ends too early.
    const { chain, expiresAt } = identity;
    const name = JSON.stringify([identity.workspace, sessionId, expiresAt, ...chain]);
    if (this.#known.has(name)) return false;
    if (await workspace.watch(chain, sessionId, expiresAt)) return true;
    if (this.#known.size >= MAX_REMEMBERED) this.#known.clear();
    this.#known.add(name);
    return false;
  }
}
