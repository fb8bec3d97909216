/**
 * The cache of workspace policies in one isolate: revoked credentials and default settings.
 *
 * A policy older than 30 seconds is renewed by the next request that needs it; a policy older than 50 seconds is not
 * used. A revocation is therefore in force everywhere within a minute. No request waits for the renewal of another
 * request: if the other request is cut off, the waiting request would hang with it.
 */
import type { PolicyCache } from '../http/ports.ts';
import type { Policy } from '../protocol/schema/workspace.ts';

const RENEW_AFTER_MS = 30_000;
const UNUSABLE_AFTER_MS = 50_000;
/** While one request renews a policy, other requests use the old one for this long. */
const RENEWAL_MS = 2_000;

interface CachedPolicy {
  readonly policy: Policy;
  readonly at: number;
  /** The number of the fetch: a later fetch knows at least as much as an earlier one. */
  readonly fetchNumber: number;
  renewFrom: number;
}

export interface PolicyCachePorts {
  readonly fetch: (workspace: string) => Promise<Policy>;
  readonly now: () => number;
  readonly warn: (message: string, evidence: unknown) => void;
}

export class IsolatePolicyCache implements PolicyCache {
  readonly #ports: PolicyCachePorts;
  readonly #policies = new Map<string, CachedPolicy>();
  #fetches = 0;

  constructor(ports: PolicyCachePorts) {
    this.#ports = ports;
  }

  async get(workspace: string): Promise<Policy> {
    const now = this.#ports.now();
    const cached = this.#policies.get(workspace);
    if (cached === undefined || now - cached.at >= UNUSABLE_AFTER_MS)
      return this.refresh(workspace);
    if (now < cached.renewFrom) return cached.policy;
    cached.renewFrom = now + RENEWAL_MS;
    try {
      return await this.refresh(workspace);
    } catch (cause) {
      this.#ports.warn('The policy of a workspace cannot be read; the cached one is used', cause);
      return cached.policy;
    }
  }

  async refresh(workspace: string): Promise<Policy> {
    const at = this.#ports.now();
    const fetchNumber = ++this.#fetches;
    const policy = await this.#ports.fetch(workspace);
    const cached = this.#policies.get(workspace);
    // The result of an overtaken fetch may lack a revocation that the later one has.
    if (cached !== undefined && cached.fetchNumber > fetchNumber) return cached.policy;
    this.#policies.set(workspace, { policy, at, fetchNumber, renewFrom: at + RENEW_AFTER_MS });
    return policy;
  }
}
