/**
 * What ends with a revoked credential: its devices in the transaction of the revocation, its connections after it. The
 * targets that it made are held in that transaction, until an administrator enables them. A crash between the two is made up for by the rows (`addWatchers`).
 *
 * A session registers the credentials of its sockets (`addWatchers`), and the workspace pushes a revocation to every
 * registered session (`maintenance.ts`). Both are rows, and a watcher is removed only after its session has confirmed,
 * so neither a lost call nor a crash leaves a socket open. A session attaches a socket first and registers second, and
 * so misses nothing: either `addWatchers` reports the revocation, or the push finds the socket.
 */
import type { Settler } from '../protocol/schema/actor.ts';
import { dropDevicesOf, listDevices } from './devices.ts';
import { holdTargetsOf } from './targets.ts';
import type { InboxSubscribers } from './inbox-subscribers.ts';
import type { Maintenance } from './maintenance.ts';
import type { WorkspacePorts } from './ports.ts';
import type { Receivers } from './receivers.ts';
import type { TargetOutbox } from './target-outbox.ts';
import { addOwnAudit } from './audit.ts';
import type { StoredToken, WorkspaceStore } from './store.ts';

interface EndsPorts extends Pick<WorkspacePorts, 'store' | 'now'> {
  readonly outbox: TargetOutbox;
  readonly receivers: Receivers;
  readonly maintenance: Maintenance;
  readonly inboxSubscribers: InboxSubscribers;
}

/**
 * Revoked beside a sign-in that another credential ended, such as one in a stolen browser: what came from there is not
 * trusted. A person who signs out takes nothing back.
 */
export function rejectedBrowser(signInId: string): string {
  return `${signInId} from elsewhere`;
}

export class CredentialEnds {
  readonly #ports: EndsPorts;
  /** Devices and targets of a transaction whose objects do not know of it yet. */
  readonly #dropped = new Set<string>();

  constructor(ports: EndsPorts) {
    this.#ports = ports;
  }

  /** In the transaction of the change: ends the devices of these credentials, and of this subject if one is given. */
  dropDevices(credentials: readonly string[], subject: string | null, by: Settler): void {
    const { outbox } = this.#ports;
    for (const id of dropDevicesOf(this.#ports, outbox, { credentials, subject, by })) {
      this.#dropped.add(id);
    }
  }

  /** Runs in the transaction of the change: the targets that these credentials made wait for an administrator. */
  holdTargets(credentials: readonly string[], by: Settler): void {
    const { outbox } = this.#ports;
    for (const id of holdTargetsOf(this.#ports, outbox, credentials, by)) this.#dropped.add(id);
  }

  countDevices(subject: string): number {
    return listDevices(this.#ports.outbox, subject).length;
  }

  /** After the transaction: closes the connections of these credentials. */
  async closeConnections(credentials: readonly string[]): Promise<void> {
    const { receivers, inboxSubscribers, maintenance } = this.#ports;
    const dropped = [...this.#dropped];
    this.#dropped.clear();
    const handedOver = receivers.handOverNow(dropped);
    for (const credential of credentials) inboxSubscribers.closeRevoked(credential);
    await Promise.all([handedOver, maintenance.pushRevocations()]);
  }

  /** A transaction that fails leaves the rows as they were, and their copy in memory must not be ahead. */
  orReset<Result>(transaction: () => Result): Result {
    try {
      return this.#ports.outbox.orReset(transaction);
    } catch (cause) {
      this.#dropped.clear();
      throw cause;
    }
  }
}

/** Whether one of the credentials is revoked; then no watcher is stored, and the session must close the socket. */
export function addWatchers(
  store: WorkspaceStore,
  credentials: readonly string[],
  sessionId: string,
  expiresAt: number | null,
): boolean {
  if (credentials.some((credential) => store.revocations.has(credential))) return true;
  store.write(() => {
    for (const credential of credentials)
      store.revocations.addWatcher({ credential, sessionId }, expiresAt);
  });
  return false;
}

/** A token of a key without `admin` has no vote; products make and revoke many of those. */
function mayVote(store: WorkspaceStore, { maker }: StoredToken): boolean {
  return !maker.startsWith('key_') || store.keys.find(maker)?.scopes.includes('admin') === true;
}

/** Marks a session token or a person token as revoked; no token lives longer than `longest`. */
export function revokeToken(
  store: WorkspaceStore,
  credential: string,
  longest: number | null,
  by: Settler,
  { at, endDevices }: { readonly at: number; readonly endDevices: () => void },
): void {
  const token = store.tokens.find(credential);
  // Tokens from before tokens were recorded can be revoked too. A vote may outlive its token by far.
  const expiresAt = token === undefined || mayVote(store, token) ? longest : token.expiresAt;
  store.write(() => {
    store.revocations.add(credential, at, expiresAt);
    addOwnAudit(store, by, { at, what: 'token', token: credential, change: 'revoked' });
    endDevices();
  });
}
