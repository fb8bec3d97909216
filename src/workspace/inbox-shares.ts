/**
 * The share of each root in the front of the inbox.
 *
 * The inbox is ordered by deadline, so an agent with many short deadlines would push the interactions of other agents
 * off the first page. Each root has a share of the front; its further interactions sort after the shares of all roots.
 * An interaction gets its place when it opens and keeps it: a reader who turns pages would miss an entry that moves
 * forward.
 *
 * The counts are read from the rows for the first interaction after a wake, and kept in memory from then on.
 */
import { LIMITS } from '../protocol/limits.ts';
import type { WorkspaceStore } from './ports.ts';

export class InboxShares {
  #counts: Map<string, number> | undefined;

  /** Claims a place; false when the share is used up, and the interaction belongs beyond it. */
  claim(store: WorkspaceStore, root: string): boolean {
    this.#counts ??= store.inbox.countWithinShares();
    const claimed = this.#counts.get(root) ?? 0;
    if (claimed >= LIMITS.inboxShare) return false;
    this.#counts.set(root, claimed + 1);
    return true;
  }

  release(root: string): void {
    const claimed = this.#counts?.get(root) ?? 0;
    if (claimed > 1) this.#counts?.set(root, claimed - 1);
    else this.#counts?.delete(root);
  }

  /** Call it when the transaction failed: the counts are no longer those of the rows. */
  reset(): void {
    this.#counts = undefined;
  }
}
