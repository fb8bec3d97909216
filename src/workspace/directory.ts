/**
 * Signing in, and the end of it: what happens to the credentials of a person when they sign in or out, change their role or
 * leave.
 *
 * Each change is one transaction with the revocations that follow from it. Connections are closed after it; a crash in
 * between is made up for by the rows (`revocations.ts`). The file is long because each of these ends the same credentials.
 */
import * as z from 'zod';
import { ROLE_SCOPES } from '../protocol/roles.ts';
import { type ReadResult, type Rejection, reject } from '../protocol/errors.ts';
import { LIMITS } from '../protocol/limits.ts';
import type { Settler } from '../protocol/schema/actor.ts';
import type {
  InvitePerson,
  Member,
  PersonEnds,
  PersonView,
  SignInView,
  UpdatePerson,
} from '../protocol/schema/person.ts';
import type { TokenView } from '../protocol/schema/workspace.ts';
import type { Groups } from './groups.ts';
import { parseStoredObject } from './parse-stored.ts';
import {
  credentialOf,
  type GrantedRoles,
  memberOf,
  PersonList,
  SEEN_EVERY_MS,
  type StoredPerson,
  type VerifiedPerson,
  viewPerson,
} from './people.ts';
import type { StoredSignIn, WorkspacePorts } from './ports.ts';
import { viewToken } from './tokens.ts';

/** Where a person signs in. */
export interface SignInPlace {
  readonly browser: string;
  readonly place: string | null;
}

/** What lets a person in: the settings of the deployment, or an invitation that names nobody. */
export interface AdmissionRights extends GrantedRoles {
  readonly invitation?: string | undefined;
}

/** A sign-in that has begun; the cookie of the browser names it. */
export interface NewSignIn {
  readonly id: string;
  readonly subject: string;
  readonly expiresAt: number;
}

/** How the directory reaches the other credentials of the workspace. */
export interface CredentialEnds {
  /** In the transaction of the change: ends the devices of these credentials, and of this subject if one is given. */
  dropDevices(credentials: readonly string[], subject: string | null, by: Settler): void;
  countDevices(subject: string): number;
  /** After the transaction: closes the connections of these credentials. */
  closeConnections(credentials: readonly string[]): Promise<void>;
  /** After a transaction that failed. */
  reset(): void;
}

interface DirectoryPorts extends Pick<WorkspacePorts, 'store' | 'now' | 'freshId' | 'warn'> {
  readonly groups: Groups;
  readonly ends: CredentialEnds;
}

const UNKNOWN_SIGN_IN = reject('not_found', 'There is no such sign-in');
const USED_INVITATION = reject(
  'link_expired',
  'This invitation was used already; ask for another one',
);
const ENDED_INVITATION = reject(
  'link_expired',
  'This invitation was taken back; ask for another one',
);

const ReadableSignIn = z.object({
  browser: z.string().catch(''),
  place: z.string().nullable().catch(null),
  createdAt: z.number().catch(0),
  usedAt: z.number().catch(0),
});

const ReadableToken = z.object({
  subject: z.string().catch(''),
  scopes: z.array(z.unknown()).catch([]),
});
const TOKENS_AT_ONCE = 500;

export class Directory {
  readonly #ports: DirectoryPorts;
  readonly #people: PersonList;

  constructor(ports: DirectoryPorts) {
    this.#ports = ports;
    this.#people = new PersonList(ports);
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

  /** A person, and what removing them ends. */
  person(subject: string): ReadResult<{ person: PersonView; ends: PersonEnds }> {
    const found = this.#people.find(subject);
    if (!found.ok) return found;
    const ends = {
      signIns: this.#ports.store.signIns.listOf(subject).length,
      tokens: this.#tokensOf(subject).length,
      devices: this.#ports.ends.countDevices(subject),
    };
    return { ok: true, value: { person: this.#view(found.value), ends } };
  }

  invite({ email, role, name, groups }: InvitePerson, by: Settler): ReadResult<PersonView> {
    const unknown = this.#findUnknownGroup(groups);
    if (unknown !== undefined) return unknown;
    const invited = this.#change(() => this.#people.invite({ subject: email, role, name }, by));
    if (!invited.ok) return invited;
    const placed = this.#setGroups(email, groups, by);
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
    const unknown = this.#findUnknownGroup(groups);
    if (unknown !== undefined) return unknown;
    const before = found.value;
    const changed = this.#people.withRole(before, role ?? before.role);
    if (!changed.ok) return changed;
    const after = { ...changed.value, ...(name !== undefined && { name }) };
    const ended = this.#change(() =>
      this.#ports.store.write(() => {
        this.#people.put(after);
        if (after.role !== before.role) {
          this.#people.note(after, { by, change: `${before.role} became ${after.role}` });
          return this.#endRole(before, after, by);
        }
        if (after.name !== before.name) this.#people.note(after, { by, change: 'renamed' });
        return [];
      }),
    );
    const placed = this.#setGroups(subject, groups, by);
    await this.#ports.ends.closeConnections(ended);
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
    const ended = this.#change(() =>
      this.#ports.store.write(() => {
        this.#people.put(removed.value);
        this.#people.note(person.value, { by, change: describeEnds(ends) });
        return this.#endAccess(person.value, by);
      }),
    );
    const placed = this.#setGroups(subject, [], by);
    await this.#ports.ends.closeConnections(ended);
    return placed.ok ? { ok: true, value: ends } : placed;
  }

  /** Begins a sign-in of a verified person. A new id each time: one that was known before is worth nothing after. */
  async signIn(
    verified: VerifiedPerson,
    granted: AdmissionRights,
    where: SignInPlace,
  ): Promise<ReadResult<NewSignIn>> {
    const { store, freshId, now } = this.#ports;
    const admitted = await this.admit(verified, granted);
    if (!admitted.ok) return admitted;
    const { subject, credential } = admitted.value;
    const id = `sgn_${freshId()}`;
    const expiresAt = now() + LIMITS.signInMs;
    const entry = { ...where, createdAt: now(), usedAt: now() };
    const by: Settler = { subject, via: 'web', credential: id, key: credential };
    const crowded = this.#change(() =>
      store.write(() => {
        store.signIns.removeExpired(now());
        const own = store.signIns.listOf(subject);
        const oldest = own.slice(0, Math.max(0, own.length + 1 - LIMITS.signIns));
        for (const one of oldest) this.#endSignIn(one, by);
        store.signIns.put({ subject, id, expiresAt, entry: JSON.stringify(entry) });
        const found = this.#people.find(subject);
        if (found.ok) this.#people.note(found.value, { by, change: 'signed in' });
        return oldest.map((one) => one.id);
      }),
    );
    await this.#ports.ends.closeConnections(crowded);
    return { ok: true, value: { id, subject, expiresAt } };
  }

  /** Lets a verified person in, if the directory or the settings do; the person is active after it. */
  async admit(verified: VerifiedPerson, granted: AdmissionRights): Promise<ReadResult<Member>> {
    const { store, now } = this.#ports;
    const { invitation } = granted;
    if (invitation !== undefined && store.revocations.has(invitation)) return USED_INVITATION;
    const admitted = this.#people.admit(verified, granted);
    if (!admitted.ok) return admitted;
    const { before, person } = admitted.value;
    const by: Settler = { subject: person.subject, via: 'web' };
    const after = { ...person, providedGroups: this.#knownGroups(verified.groups, person) };
    const ended = this.#change(() =>
      store.write(() => {
        this.#people.put(after, before?.subject);
        if (invitation !== undefined)
          store.revocations.add(invitation, now(), now() + LIMITS.invitationMs);
        if (before?.status !== 'active') {
          this.#people.note(after, { by, change: `joined as ${after.role}` });
        } else if (before.role !== after.role) {
          this.#people.note(after, { by, change: `${before.role} became ${after.role}` });
        }
        return before !== undefined && before.role !== after.role
          ? this.#endRole(before, after, by)
          : [];
      }),
    );
    this.#moveGroups(before, after, verified.groups !== undefined, by);
    await this.#ports.ends.closeConnections(ended);
    return { ok: true, value: memberOf(after) };
  }

  /**
   * Takes an invitation link, once, for a deployment without a login. The caller makes the token of the person.
   */
  acceptInvitation(invitation: string, subject: string): ReadResult<Member> {
    const { store, now } = this.#ports;
    if (store.revocations.has(invitation)) return USED_INVITATION;
    const found = this.#people.find(subject);
    if (!found.ok || found.value.status !== 'invited') return ENDED_INVITATION;
    const person: StoredPerson = { ...found.value, status: 'active', lastSeenAt: now() };
    const by: Settler = { subject, via: 'link' };
    this.#change(() =>
      store.write(() => {
        this.#people.put(person);
        this.#people.note(person, { by, change: `joined as ${person.role}` });
        store.revocations.add(invitation, now(), now() + LIMITS.invitationMs);
      }),
    );
    return { ok: true, value: memberOf(person) };
  }

  /** What is true now, not a copy: for requests that change something. Null: the sign-in or the person has no access. */
  checkMember(subject: string, signInId: string | null, place: string | null): Member | null {
    const { store, now } = this.#ports;
    const found = this.#people.find(subject);
    if (!found.ok || found.value.status !== 'active') return null;
    const person = found.value;
    const signIn = store.signIns.listOf(subject).find(({ id }) => id === signInId);
    if (signInId !== null && (signIn === undefined || signIn.expiresAt <= now())) return null;
    if (now() - (person.lastSeenAt ?? 0) >= SEEN_EVERY_MS) {
      this.#change(() =>
        store.write(() => {
          this.#people.put({ ...person, lastSeenAt: now() });
        }),
      );
    }
    if (signIn !== undefined) this.#noteUse(signIn, place);
    return memberOf(person);
  }

  /** Of one person, or of all. The last one first. */
  signIns(subject: string | null): SignInView[] {
    const { store, now } = this.#ports;
    const all = subject === null ? store.signIns.list() : store.signIns.listOf(subject);
    return all
      .filter(({ expiresAt }) => expiresAt > now())
      .map(viewSignIn)
      .toSorted((one, other) => other.usedAt - one.usedAt);
  }

  /** Of this person, or of anybody with null. */
  async endSignIn(
    id: string,
    subject: string | null,
    by: Settler,
  ): Promise<{ ok: true } | Rejection> {
    const { store } = this.#ports;
    const found = store.signIns
      .list()
      .find((one) => one.id === id && (subject === null || one.subject === subject));
    if (found === undefined) return UNKNOWN_SIGN_IN;
    await this.#endSignIns([found], by);
    return { ok: true };
  }

  /** All sign-ins of the person but the one that asks; resolves with their number. */
  async endOtherSignIns(subject: string, kept: string, by: Settler): Promise<number> {
    const others = this.#ports.store.signIns.listOf(subject).filter(({ id }) => id !== kept);
    await this.#endSignIns(others, by);
    return others.length;
  }

  /** The tokens of the person that are in force, newest first. */
  ownTokens(subject: string): TokenView[] {
    const { store } = this.#ports;
    return this.#tokensOf(subject).flatMap(({ id }) => {
      const token = store.tokens.find(id);
      return token === undefined ? [] : [viewToken(store, token)];
    });
  }

  async #endSignIns(ended: readonly StoredSignIn[], by: Settler): Promise<void> {
    this.#change(() =>
      this.#ports.store.write(() => {
        for (const one of ended) {
          this.#endSignIn(one, by);
          const found = this.#people.find(one.subject);
          if (found.ok) this.#people.note(found.value, { by, change: 'signed out' });
        }
      }),
    );
    await this.#ports.ends.closeConnections(ended.map(({ id }) => id));
  }

  /** Call it in a transaction. */
  #endSignIn({ id, subject, expiresAt }: StoredSignIn, by: Settler): void {
    const { store, now, ends } = this.#ports;
    store.revocations.add(id, now(), Math.max(expiresAt, now() + LIMITS.tokenMaxSeconds * 1_000));
    store.signIns.remove(subject, id);
    ends.dropDevices([id], null, by);
  }

  /** Revokes what had the former role, and tokens from elsewhere that may do more than the new one. Call it in a transaction. */
  #endRole(before: StoredPerson, after: StoredPerson, by: Settler): string[] {
    const allowed = ROLE_SCOPES[after.role];
    const exceeding = this.#tokensOf(before.subject).filter(({ scopes }) =>
      scopes.some((scope) => !allowed.some((one) => one === scope)),
    );
    return this.#revokeAll([credentialOf(before), ...exceeding.map(({ id }) => id)], null, by);
  }

  /** Call it in a transaction. */
  #endAccess(person: StoredPerson, by: Settler): string[] {
    const { store } = this.#ports;
    const { subject } = person;
    const signIns = store.signIns.listOf(subject);
    for (const { id } of signIns) store.signIns.remove(subject, id);
    const ids = [...signIns, ...this.#tokensOf(subject)].map(({ id }) => id);
    return this.#revokeAll([credentialOf(person), ...ids], subject, by);
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
        const token = ReadableToken.parse(parseStoredObject(entry));
        if (token.subject !== subject || store.revocations.firstAt(chain) !== null) continue;
        found.push({ id, scopes: token.scopes });
      }
      before = page.at(-1)?.id;
      if (page.length < TOKENS_AT_ONCE) return found;
    }
  }

  #noteUse(signIn: StoredSignIn, place: string | null): void {
    const { store, now } = this.#ports;
    const entry = ReadableSignIn.parse(parseStoredObject(signIn.entry));
    if (entry.place === place && now() - entry.usedAt < SEEN_EVERY_MS) return;
    const text = JSON.stringify({ ...entry, place, usedAt: now() });
    store.write(() => store.signIns.put({ ...signIn, entry: text }));
  }

  #view(person: StoredPerson): PersonView {
    const names = this.#ports.groups.namesOf(person.subject, { withFormer: false });
    return viewPerson(person, names);
  }

  #findUnknownGroup(names: readonly string[] = []): Rejection | undefined {
    const known = this.#ports.groups.list().map(({ name }) => name);
    const unknown = names.find((name) => !known.includes(name));
    if (unknown === undefined) return undefined;
    const message = 'There is no such group';
    const issues = [{ path: 'groups', message }];
    return reject('invalid_request', `groups: ${message}`, { issues });
  }

  /** Undefined leaves them as they are. */
  #setGroups(
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
  #knownGroups(named: readonly string[] | undefined, person: StoredPerson): string[] {
    if (named === undefined) return person.providedGroups;
    const known = this.#ports.groups.list().map(({ name }) => name);
    return known.filter((name) => named.includes(name));
  }

  /** The provider has a say about the groups that it named now or before; those of administrators stay. */
  #moveGroups(
    before: StoredPerson | undefined,
    after: StoredPerson,
    hasGroups: boolean,
    by: Settler,
  ): void {
    const isRenamed = before !== undefined && before.subject !== after.subject;
    if (!hasGroups && !isRenamed) return;
    const { groups, warn } = this.#ports;
    const former = groups.namesOf(before?.subject ?? after.subject, { withFormer: false });
    const own = former.filter((name) => !before?.providedGroups.includes(name));
    if (isRenamed) this.#setGroups(before.subject, [], by);
    const set = this.#setGroups(after.subject, [...own, ...after.providedGroups], by);
    // The person is in fewer groups than the provider says, and may still sign in.
    if (!set.ok) warn(`The groups of ${after.subject} could not be changed`, set);
  }

  #change<Result>(change: () => Result): Result {
    try {
      return change();
    } catch (cause) {
      this.#people.reset();
      this.#ports.ends.reset();
      throw cause;
    }
  }
}

function viewSignIn({ subject, id, expiresAt, entry }: StoredSignIn): SignInView {
  return { id, subject, expiresAt, ...ReadableSignIn.parse(parseStoredObject(entry)) };
}

function describeEnds({ signIns, tokens, devices }: PersonEnds): string {
  return `removed, with ${signIns} sign-ins, ${tokens} tokens and ${devices} devices`;
}
