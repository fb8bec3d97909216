/**
 * The copy of one isolate of what the workspaces decide: revoked credentials and default settings, or audiences.
 *
 * A policy older than 30 seconds is renewed by the next request that needs it; a policy older than 50 seconds is not
 * used. A revocation is therefore in force everywhere within a minute. No request waits for the renewal of another
 * request: if the other request is cut off, the waiting request would hang with it.
 */
import type { WorkspaceCache } from '../http/ports.ts';

const RENEW_AFTER_MS = 30_000;
const UNUSABLE_AFTER_MS = 50_000;
/** While one request renews a policy, other requests use the old one for this long. */
const RENEWAL_MS = 2_000;

interface Cached<Value> {
  readonly value: Value;
  readonly at: number;
  /** The number of the fetch: a later fetch knows at least as much as an earlier one. */
  readonly fetchNumber: number;
  renewFrom: number;
}

export interface IsolateCachePorts<Value> {
  readonly fetch: (workspace: string) => Promise<Value>;
  readonly now: () => number;
  readonly warn: (message: string, evidence: unknown) => void;
}

export class IsolateCache<Value> implements WorkspaceCache<Value> {
  readonly #ports: IsolateCachePorts<Value>;
  readonly #known = new Map<string, Cached<Value>>();
  #fetches = 0;

  constructor(ports: IsolateCachePorts<Value>) {
    this.#ports = ports;
  }

  get(workspace: string): Value | Promise<Value> {
    const now = this.#ports.now();
    const cached = this.#known.get(workspace);
    if (cached === undefined || now - cached.at >= UNUSABLE_AFTER_MS)
      return this.refresh(workspace);
    return now < cached.renewFrom ? cached.value : this.#renew(workspace, cached, now);
  }

  async #renew(workspace: string, cached: Cached<Value>, now: number): Promise<Value> {
    cached.renewFrom = now + RENEWAL_MS;
    try {
      return await this.refresh(workspace);
    } catch (cause) {
      this.#ports.warn('What a workspace decides cannot be read; the copy is used', cause);
      return cached.value;
    }
  }

  async refresh(workspace: string): Promise<Value> {
    const at = this.#ports.now();
    const fetchNumber = ++this.#fetches;
    const value = await this.#ports.fetch(workspace);
    const cached = this.#known.get(workspace);
    // The result of an overtaken fetch may lack a revocation that the later one has.
    if (cached !== undefined && cached.fetchNumber > fetchNumber) return cached.value;
    this.#known.set(workspace, { value, at, fetchNumber, renewFrom: at + RENEW_AFTER_MS });
    return value;
  }
}
