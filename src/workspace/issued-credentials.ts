/**
 * The keys and tokens of a workspace, and what their revocation ends: devices in the transaction of the revocation,
 * connections after it.
 */
import type { ReadResult, Rejection } from '../protocol/errors.ts';
import { LIMITS } from '../protocol/limits.ts';
import type { Settler } from '../protocol/schema/actor.ts';
import type { KeyView, ListedKey } from '../protocol/schema/workspace.ts';
import type { CredentialEnds } from './credential-ends.ts';
import { createKey, listKeys, revokeKey } from './keys.ts';
import type { Maintenance } from './maintenance.ts';
import type { CreateKeyInput, PageQuery, WorkspacePorts } from './ports.ts';
import { addWatchers, revokeToken } from './revocations.ts';
import type { NewToken } from './store.ts';
import { listTokens, recordToken, type TokensPage } from './tokens.ts';

export const SYSTEM = { subject: 'system', via: 'system' } as const;

interface CredentialPorts extends Pick<WorkspacePorts, 'store' | 'now' | 'freshId'> {
  readonly ends: CredentialEnds;
  readonly maintenance: Maintenance;
}

export class IssuedCredentials {
  readonly #ports: CredentialPorts;

  constructor(ports: CredentialPorts) {
    this.#ports = ports;
  }

  /** With the same `name`, a repeated request finds the key that the first one created. */
  createKey(wanted: CreateKeyInput, by: Settler, name?: string): KeyView | Rejection {
    const { store, freshId, now } = this.#ports;
    return createKey(store, wanted, by, { id: name ?? freshId(), now: now() });
  }

  listKeys(): ListedKey[] {
    return listKeys(this.#ports.store, this.#ports.now());
  }

  /** Resolves when every reachable session has closed the connections of this key. */
  async revokeKey(id: string, by: Settler): Promise<{ ok: true } | Rejection> {
    const { store, now, ends } = this.#ports;
    const endDevices = () => ends.dropDevices([id], null, by);
    const revoked = ends.orReset(() => revokeKey(store, id, by, { now: now(), endDevices }));
    if (revoked.ok) await ends.closeConnections([id]);
    return revoked;
  }

  /** The credential that made it elsewhere has ended. A key that is not made yet is revoked all the same. */
  async endKey(id: string): Promise<void> {
    const revoked = await this.revokeKey(id, SYSTEM);
    const longest = this.#ports.now() + LIMITS.tokenMaxSeconds * 1_000;
    if (!revoked.ok) await this.revoke(id, longest, SYSTEM);
  }

  /** Must precede the response that holds the token. */
  recordToken(token: NewToken, by: Settler, isAdmin: boolean): { ok: true } | Rejection {
    const { store, now, maintenance } = this.#ports;
    const recorded = recordToken(store, token, by, { now: now(), isAdmin });
    if (recorded.ok) maintenance.arm();
    return recorded;
  }

  tokens(page: PageQuery): ReadResult<TokensPage> {
    return listTokens(this.#ports.store, page, this.#ports.now());
  }

  /** Revokes a session token or a person token; no token lives longer than `longest`. */
  async revoke(credential: string, longest: number | null, by: Settler): Promise<void> {
    const { store, now, ends } = this.#ports;
    const endDevices = () => ends.dropDevices([credential], null, by);
    ends.orReset(() => {
      revokeToken(store, credential, longest, by, { at: now(), endDevices });
    });
    await ends.closeConnections([credential]);
  }

  /** Whether one of the credentials is revoked. A session calls it after it has attached the socket. */
  watch(credentials: readonly string[], sessionId: string, expiresAt: number | null): boolean {
    return addWatchers(this.#ports.store, credentials, sessionId, expiresAt);
  }
}
