/**
 * The people of a workspace, as administrators see and change them, and the end of what they have.
 *
 * A person who leaves or changes the role loses credentials in the same transaction. Connections are closed after it; a crash
 * in between is made up for by the rows (`credential-ends.ts`).
 */
import * as z from '../protocol/schema/zod.ts';
import { type ReadResult, type Rejection, reject } from '../protocol/errors.ts';
import type { Settler } from '../protocol/schema/actor.ts';
import type {
  InvitePerson,
  Member,
  PersonEnds,
  PersonView,
  UpdatePerson,
} from '../protocol/schema/person.ts';
import type { TokenView } from '../protocol/schema/workspace.ts';
import { ROLE_SCOPES } from '../core/authority.ts';
import { LIMITS } from '../protocol/limits.ts';
import { type CredentialEnds, rejectedBrowser } from './credential-ends.ts';
import type { Groups } from './groups.ts';
import { PersonList, type StoredPerson, viewPerson, credentialOf } from './people.ts';
import type { WorkspacePorts } from './ports.ts';
import { SignIns } from './sign-ins.ts';
import { parseStoredObject } from './parse-stored.ts';
import type { StoredSignIn } from './store.ts';
import { viewToken } from './keys.ts';

interface DirectoryPorts extends Pick<WorkspacePorts, 'store' | 'now' | 'freshId' | 'warn'> {
  readonly groups: Groups;
  readonly ends: CredentialEnds;
}

export class Directory {
  readonly #ports: DirectoryPorts;
  readonly #people: PersonList;
  readonly #access: PersonAccess;
  readonly #groups: PersonGroups;
  readonly signIns: SignIns;

  constructor(ports: DirectoryPorts) {
    this.#ports = ports;
    const people = new PersonList(ports);
    const access = new PersonAccess({ ...ports, people });
    const groups = new PersonGroups(ports);
    this.#people = people;
    this.#access = access;
    this.#groups = groups;
    this.signIns = new SignIns({ ...ports, people, access, groups });
  }

  list(): PersonView[] {
    return this.#people.list().map((person) => this.#view(person));
  }

  members(): Member[] {
    return this.#people.members();
  }

  names(): Record<string, string> {
    return this.#people.names();
  }

  hasAdmin(): boolean {
    return this.#people.hasAdmin();
  }

  isRemoved(subject: string): boolean {
    const found = this.#people.find(subject);
    return found.ok && found.value.status === 'removed';
  }

  /** A person, and what removing them ends. */
  person(subject: string): ReadResult<{ person: PersonView; ends: PersonEnds }> {
    const found = this.#people.find(subject);
    if (!found.ok) return found;
    const ends = this.#access.count(subject);
    return { ok: true, value: { person: this.#view(found.value), ends } };
  }

  invite({ email, role, name, groups }: InvitePerson, by: Settler): ReadResult<PersonView> {
    const unknown = this.#groups.findUnknown(groups);
    if (unknown !== undefined) return unknown;
    const invited = this.#access.change(() =>
      this.#people.invite({ subject: email, role, name }, by),
    );
    if (!invited.ok) return invited;
    const placed = this.#groups.set(email, groups, by);
    return placed.ok ? { ok: true, value: this.#view(invited.value) } : placed;
  }

  /** A change of the role ends every credential with the former one. */
  async update(
    subject: string,
    { role, name, groups }: UpdatePerson,
    by: Settler,
  ): Promise<ReadResult<PersonView>> {
    const found = this.#people.find(subject);
    if (!found.ok) return found;
    const unknown = this.#groups.findUnknown(groups);
    if (unknown !== undefined) return unknown;
    const before = found.value;
    const changed = this.#people.withRole(before, role ?? before.role);
    if (!changed.ok) return changed;
    const after = { ...changed.value, ...(name !== undefined && { name }) };
    const ended = this.#access.change(() =>
      this.#ports.store.write(() => {
        this.#people.put(after);
        if (after.role !== before.role) {
          this.#people.note(after, { by, change: `${before.role} became ${after.role}` });
          return this.#access.endRole(before, after, by);
        }
        if (after.name !== before.name) this.#people.note(after, { by, change: 'renamed' });
        return [];
      }),
    );
    const placed = this.#groups.set(subject, groups, by);
    await this.#access.closeConnections(ended);
    return placed.ok ? { ok: true, value: this.#view(after) } : placed;
  }

  /** Ends everything that the person has, at once. */
  async remove(subject: string, by: Settler): Promise<ReadResult<PersonEnds>> {
    const found = this.person(subject);
    const person = this.#people.find(subject);
    if (!found.ok || !person.ok) return found.ok ? (person as Rejection) : found;
    const removed = this.#people.withoutAccess(person.value);
    if (!removed.ok) return removed;
    const { ends } = found.value;
    const ended = this.#access.change(() =>
      this.#ports.store.write(() => {
        this.#people.put(removed.value);
        this.#people.note(person.value, { by, change: describeEnds(ends) });
        return this.#access.endAll(person.value, by);
      }),
    );
    const placed = this.#groups.set(subject, [], by);
    await this.#access.closeConnections(ended);
    return placed.ok ? { ok: true, value: ends } : placed;
  }

  /** The tokens of the person that are in force, newest first. */
  ownTokens(subject: string): TokenView[] {
    return this.#access.tokens(subject);
  }

  #view(person: StoredPerson): PersonView {
    return viewPerson(person, this.#groups.of(person.subject));
  }
}

function describeEnds({ signIns, tokens, devices }: PersonEnds): string {
  return `removed, with ${signIns} sign-ins, ${tokens} tokens and ${devices} devices`;
}

const ScopedToken = z.object({
  subject: z.string().catch(''),
  scopes: z.array(z.unknown()).catch([]),
});
const TOKENS_AT_ONCE = 500;

interface AccessPorts extends Pick<WorkspacePorts, 'store' | 'now'> {
  readonly people: PersonList;
  readonly ends: CredentialEnds;
}

/**
 * What a person can get in with: sign-ins, tokens and devices, and the credential that all of them descend from. Ends
 * them in the transaction of the change that takes them away.
 */
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
    const until = Math.max(expiresAt, now() + LIMITS.tokenMaxSeconds * 1_000);
    store.revocations.add(id, now(), until);
    store.signIns.remove(subject, id);
    ends.dropDevices([id], null, by);
    if (by.credential === undefined || by.credential === id) return;
    store.revocations.add(rejectedBrowser(id), now(), until);
    ends.holdTargets([id], by);
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
    ends.holdTargets(credentials, by);
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

interface PersonGroupsPorts extends Pick<WorkspacePorts, 'warn'> {
  readonly groups: Groups;
}

/** The groups of one person: as an administrator sets them, and as the login provider names them at a sign-in. */
export class PersonGroups {
  readonly #ports: PersonGroupsPorts;

  constructor(ports: PersonGroupsPorts) {
    this.#ports = ports;
  }

  of(subject: string): string[] {
    return this.#ports.groups.namesOf(subject, { withFormer: false });
  }

  findUnknown(names: readonly string[] = []): Rejection | undefined {
    const known = this.#ports.groups.list().map(({ name }) => name);
    const unknown = names.find((name) => !known.includes(name));
    if (unknown === undefined) return undefined;
    const message = 'There is no such group';
    const issues = [{ path: 'groups', message }];
    return reject('invalid_request', `groups: ${message}`, { issues });
  }

  /** Undefined leaves them as they are. */
  set(
    subject: string,
    wanted: readonly string[] | undefined,
    by: Settler,
  ): { ok: true } | Rejection {
    if (wanted === undefined) return { ok: true };
    for (const { name, subjects } of this.#ports.groups.list()) {
      const isMember = subjects.includes(subject);
      if (isMember === wanted.includes(name)) continue;
      const others = subjects.filter((one) => one !== subject);
      const put = this.#ports.groups.put(name, isMember ? others : [...others, subject], by);
      if (!put.ok) return put;
    }
    return { ok: true };
  }

  /** Of the groups that the provider names, those that the workspace has. */
  provided(named: readonly string[] | undefined, person: StoredPerson): string[] {
    if (named === undefined) return person.providedGroups;
    const known = this.#ports.groups.list().map(({ name }) => name);
    return known.filter((name) => named.includes(name));
  }

  /** The provider has a say about the groups that it named now or before; those of administrators stay. */
  move(
    before: StoredPerson | undefined,
    after: StoredPerson,
    hasGroups: boolean,
    by: Settler,
  ): void {
    const isRenamed = before !== undefined && before.subject !== after.subject;
    if (!hasGroups && !isRenamed) return;
    const former = this.of(before?.subject ?? after.subject);
    const own = former.filter((name) => !before?.providedGroups.includes(name));
    if (isRenamed) this.set(before.subject, [], by);
    const set = this.set(after.subject, [...own, ...after.providedGroups], by);
    // The person is in fewer groups than the provider says, and may still sign in.
    if (!set.ok) this.#ports.warn(`The groups of ${after.subject} could not be changed`, set);
  }
}
