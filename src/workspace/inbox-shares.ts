/**
 * How much of the front of the inbox each root has.
 *
 * The inbox is read by deadline, so an agent that asks often and with short deadlines would push everybody else off its
 * first page. Each root has a share of places in front; what it asks beyond that stands behind the shares of all. Which
 * of the two a request is was decided when it came and stays so: an entry that moved forward meanwhile would be missed
 * by somebody who turns pages.
 *
 * The counts are read once from the rows, when the first request comes after waking, and kept from then on.
 */
import { LIMITS } from '../protocol/limits.ts';
import type { WorkspaceStore } from './ports.ts';

export class InboxShares {
  #counts: Map<string, number> | undefined;

  /** Takes a place; false: the share is used up, and this one stands beyond it. */
  claim(store: WorkspaceStore, root: string): boolean {
    this.#counts ??= store.inbox.countWithinShares();
    const taken = this.#counts.get(root) ?? 0;
    if (taken >= LIMITS.inboxShare) return false;
    this.#counts.set(root, taken + 1);
    return true;
  }

  release(root: string): void {
    const taken = this.#counts?.get(root) ?? 0;
    if (taken > 1) this.#counts?.set(root, taken - 1);
    else this.#counts?.delete(root);
  }

  /** What was counted was not written. */
  reset(): void {
    this.#counts = undefined;
  }
}
