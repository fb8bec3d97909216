/**
 * What a person can get in with: sign-ins, tokens and devices, and the credential that all of them descend from. Ends them in
 * the transaction of the change that takes them away.
 */
import * as z from 'zod';
import { ROLE_SCOPES } from '../protocol/roles.ts';
import { LIMITS } from '../protocol/limits.ts';
import type { Settler } from '../protocol/schema/actor.ts';
import type { PersonEnds } from '../protocol/schema/person.ts';
import type { TokenView } from '../protocol/schema/workspace.ts';
import type { CredentialEnds } from './credential-ends.ts';
import { parseStoredObject } from './parse-stored.ts';
import { credentialOf, type PersonList, type StoredPerson } from './people.ts';
import type { WorkspacePorts } from './ports.ts';
import type { StoredSignIn } from './store.ts';
import { viewToken } from './tokens.ts';

const ScopedToken = z.object({
  subject: z.string().catch(''),
  scopes: z.array(z.unknown()).catch([]),
});
const TOKENS_AT_ONCE = 500;

interface AccessPorts extends Pick<WorkspacePorts, 'store' | 'now'> {
  readonly people: PersonList;
  readonly ends: CredentialEnds;
}

export class PersonAccess {
  readonly #ports: AccessPorts;

  constructor(ports: AccessPorts) {
    this.#ports = ports;
  }

  /** What removing the person ends. */
  count(subject: string): PersonEnds {
    const { store, ends } = this.#ports;
    return {
      signIns: store.signIns.listOf(subject).length,
      tokens: this.#tokensOf(subject).length,
      devices: ends.countDevices(subject),
    };
  }

  /** The tokens of the person that are in force, newest first. */
  tokens(subject: string): TokenView[] {
    const { store } = this.#ports;
    return this.#tokensOf(subject).flatMap(({ id }) => {
      const token = store.tokens.find(id);
      return token === undefined ? [] : [viewToken(store, token)];
    });
  }

  /** Call it in a transaction. */
  endSignIn({ id, subject, expiresAt }: StoredSignIn, by: Settler): void {
    const { store, now, ends } = this.#ports;
    store.revocations.add(id, now(), Math.max(expiresAt, now() + LIMITS.tokenMaxSeconds * 1_000));
    store.signIns.remove(subject, id);
    ends.dropDevices([id], null, by);
  }

  /** Revokes what had the former role, and tokens from elsewhere that may do more than the new one. Call it in a transaction. */
  endRole(before: StoredPerson, after: StoredPerson, by: Settler): string[] {
    const allowed = ROLE_SCOPES[after.role];
    const exceeding = this.#tokensOf(before.subject).filter(({ scopes }) =>
      scopes.some((scope) => !allowed.some((one) => one === scope)),
    );
    return this.#revokeAll([credentialOf(before), ...exceeding.map(({ id }) => id)], null, by);
  }

  /** Call it in a transaction. */
  endAll(person: StoredPerson, by: Settler): string[] {
    const { store } = this.#ports;
    const { subject } = person;
    const signIns = store.signIns.listOf(subject);
    for (const { id } of signIns) store.signIns.remove(subject, id);
    const ids = [...signIns, ...this.#tokensOf(subject)].map(({ id }) => id);
    return this.#revokeAll([credentialOf(person), ...ids], subject, by);
  }

  /** After the transaction. */
  closeConnections(credentials: readonly string[]): Promise<void> {
    return this.#ports.ends.closeConnections(credentials);
  }

  /** Every change of people and their sign-ins passes here: memory must not be ahead of a transaction that failed. */
  change<Result>(transaction: () => Result): Result {
    const { people, ends } = this.#ports;
    try {
      return ends.orReset(transaction);
    } catch (cause) {
      people.reset();
      throw cause;
    }
  }

  #revokeAll(credentials: readonly string[], subject: string | null, by: Settler): string[] {
    const { store, now, ends } = this.#ports;
    for (const credential of credentials) {
      store.revocations.add(credential, now(), now() + LIMITS.tokenMaxSeconds * 1_000);
    }
    ends.dropDevices(credentials, subject, by);
    return [...credentials];
  }

  #tokensOf(subject: string): { readonly id: string; readonly scopes: readonly unknown[] }[] {
    const { store, now } = this.#ports;
    const found: { id: string; scopes: unknown[] }[] = [];
    for (let before: string | undefined; ; ) {
      const page = store.tokens.list(TOKENS_AT_ONCE, now(), before);
      for (const { id, entry, chain } of page) {
        const token = ScopedToken.parse(parseStoredObject(entry));
        if (token.subject !== subject || store.revocations.firstAt(chain) !== null) continue;
        found.push({ id, scopes: token.scopes });
      }
      before = page.at(-1)?.id;
      if (page.length < TOKENS_AT_ONCE) return found;
    }
  }
}
