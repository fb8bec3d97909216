/**
 * Each isolate's copy of what a workspace decided about everybody: who was turned away, defaults.
 *
 * A copy that is 30 seconds old is renewed by the next request that needs it, and one of 50 seconds
 * is not used any more; so a revocation counts everywhere within a minute. A request never waits for
 * a renewal that another request began: if that one is cut off, the waiting one would hang with it.
 */
import type { PolicyCache } from '../http/ports.ts';
import type { Policy } from '../protocol/schema/workspace.ts';

const RENEW_AFTER_MS = 30_000;
const UNUSABLE_AFTER_MS = 50_000;
/** Others go on with the old copy for so long while one request renews it. */
const RENEWAL_MS = 2_000;

interface CachedPolicy {
  readonly policy: Policy;
  readonly at: number;
  /** Counts the questions: a later one knows at least what an earlier one did. */
  readonly question: number;
  renewFrom: number;
}

export interface PolicyCachePorts {
  readonly fetch: (workspace: string) => Promise<Policy>;
  readonly now: () => number;
  readonly warn: (message: string, evidence: unknown) => void;
}

export class IsolatePolicyCache implements PolicyCache {
  readonly #ports: PolicyCachePorts;
  readonly #copies = new Map<string, CachedPolicy>();
  #questions = 0;

  constructor(ports: PolicyCachePorts) {
    this.#ports = ports;
  }

  async get(workspace: string): Promise<Policy> {
    const now = this.#ports.now();
    const copy = this.#copies.get(workspace);
    if (copy === undefined || now - copy.at >= UNUSABLE_AFTER_MS) return this.refresh(workspace);
    if (now < copy.renewFrom) return copy.policy;
    copy.renewFrom = now + RENEWAL_MS;
    try {
      return await this.refresh(workspace);
    } catch (cause) {
      this.#ports.warn('A workspace did not say its policy; its last word still counts', cause);
      return copy.policy;
    }
  }

  async refresh(workspace: string): Promise<Policy> {
    const at = this.#ports.now();
    const question = ++this.#questions;
    const policy = await this.#ports.fetch(workspace);
    const copy = this.#copies.get(workspace);
    // An answer that was overtaken may lack a revocation that the later one has.
    if (copy !== undefined && copy.question > question) return copy.policy;
    this.#copies.set(workspace, { policy, at, question, renewFrom: at + RENEW_AFTER_MS });
    return policy;
  }
}
