/**
 * The directory of people: who may sign in, with which role, and what ends when they leave.
 *
 * 1. Everything that a person signs in with descends from one credential, `per_<id>_<number>`. A change of the role revokes it
 *    and the next one has the next number, so sockets, tokens and requests with the former role end at once.
 * 2. There is always an administrator, once there was one: the last one is neither removed nor demoted.
 * 3. A removed person stays listed, and no sign-in brings them back; a new invitation does.
 */
import * as z from '../protocol/schema/zod.ts';
import { ROLE_SCOPES } from '../core/authority.ts';
import { type ReadResult, reject } from '../protocol/errors.ts';
import { LIMITS } from '../protocol/limits.ts';
import type { Settler } from '../protocol/schema/actor.ts';
import { type Member, type PersonView, Role } from '../protocol/schema/person.ts';
import { addOwnAudit } from './audit.ts';
import { parseStored } from './parse-stored.ts';
import type { WorkspacePorts } from './ports.ts';

const StoredPerson = z.object({
  id: z.string(),
  subject: z.string(),
  name: z.string().nullable(),
  email: z.string().nullable(),
  role: Role,
  status: z.enum(['invited', 'active', 'removed']),
  /** Counts the roles that the person has had. */
  number: z.number(),
  invitedBy: z.string().nullable(),
  createdAt: z.number(),
  lastSeenAt: z.number().nullable(),
  /** The groups in which the login provider has put the person. */
  providedGroups: z.array(z.string()),
});
export type StoredPerson = z.infer<typeof StoredPerson>;

/** Who the login provider says is there. */
export interface VerifiedPerson {
  readonly subject: string;
  /** Null: there is none, or it is not verified. */
  readonly email: string | null;
  readonly name: string | null;
  /** Undefined: the deployment reads no groups from the provider. */
  readonly groups?: readonly string[] | undefined;
}

/** The role of a person whom the directory does not know, or who has no administrator yet; null: none. */
export interface GrantedRoles {
  /** Of a person whom the settings of the deployment let in. */
  readonly unknown: Role | null;
  /** Of the person whom an administrator's link or the settings name: at least this. */
  readonly atLeast: Role | null;
}

const UNKNOWN_PERSON = reject('not_found', 'There is no such person in this workspace');
const LAST_ADMIN = reject(
  'last_admin',
  'This is the last administrator; make another person one first',
);
const NOT_INVITED = reject(
  'forbidden',
  'You are not among the people of this workspace; ask an administrator for an invitation',
);
const REMOVED = reject(
  'forbidden',
  'You were removed from this workspace; ask an administrator for a new invitation',
);

const RANKS: readonly Role[] = ['viewer', 'answerer', 'admin'];
/** Shown in a list, and not worth a write each time. */
export const SEEN_EVERY_MS = 600_000;

type PeoplePorts = Pick<WorkspacePorts, 'store' | 'now' | 'freshId' | 'warn'>;

export class PersonList {
  readonly #ports: PeoplePorts;
  /** Read once and then kept: every isolate asks for the members twice a minute. */
  #stored: Map<string, StoredPerson> | null = null;

  constructor(ports: PeoplePorts) {
    this.#ports = ports;
  }

  /** After a write that failed: what is kept may be ahead of the rows. */
  reset(): void {
    this.#stored = null;
  }

  list(): StoredPerson[] {
    return [...this.#all().values()].toSorted((one, other) => other.createdAt - one.createdAt);
  }

  find(subject: string): ReadResult<StoredPerson> {
    const person = this.#all().get(subject);
    return person === undefined ? UNKNOWN_PERSON : { ok: true, value: person };
  }

  members(): Member[] {
    return this.list().flatMap((person) => (person.status === 'active' ? [memberOf(person)] : []));
  }

  /** The names of people who have one, for screens. */
  names(): Record<string, string> {
    return Object.fromEntries(
      this.list().flatMap(({ subject, name }) => (name ? [[subject, name]] : [])),
    );
  }

  /** Invites a person, or again one who was removed. */
  invite(
    { subject, role, name }: { subject: string; role: Role; name: string | undefined },
    by: Settler,
  ): ReadResult<StoredPerson> {
    const known = this.#all().get(subject);
    if (known !== undefined && known.status !== 'removed') {
      return reject('person_exists', 'This person is in the workspace already');
    }
    if (known === undefined && this.#all().size >= LIMITS.people) {
      return reject('limit_reached', 'This workspace has too many people', {
        limit: 'people',
        max: LIMITS.people,
      });
    }
    const person: StoredPerson = {
      ...this.#newPerson(subject, role),
      ...(known !== undefined && { id: known.id, number: known.number + 1 }),
      email: subject,
      name: name ?? known?.name ?? null,
      invitedBy: by.subject,
    };
    this.save(person, { by, change: `invited as ${role}` });
    return { ok: true, value: person };
  }

  /** The person after the change; with another role the former credential is to be revoked. */
  withRole(person: StoredPerson, role: Role): ReadResult<StoredPerson> {
    if (role === person.role) return { ok: true, value: person };
    if (this.#isLastAdmin(person)) return LAST_ADMIN;
    return { ok: true, value: { ...person, role, number: person.number + 1 } };
  }

  withoutAccess(person: StoredPerson): ReadResult<StoredPerson> {
    if (this.#isLastAdmin(person)) return LAST_ADMIN;
    const removed = { ...person, status: 'removed' as const, number: person.number + 1 };
    return { ok: true, value: { ...removed, providedGroups: [] } };
  }

  /** Who signs in: the person of the directory, changed as this sign-in changes them. */
  admit(verified: VerifiedPerson, granted: GrantedRoles): ReadResult<Admission> {
    const invited = verified.email === null ? undefined : this.#all().get(verified.email);
    const known =
      this.#all().get(verified.subject) ?? (invited?.status === 'invited' ? invited : undefined);
    if (known?.status === 'removed' || (known === undefined && invited?.status === 'removed')) {
      return REMOVED;
    }
    const role = higherRole(known?.role ?? granted.unknown, granted.atLeast);
    if (role === null) return NOT_INVITED;
    if (known === undefined && this.#all().size >= LIMITS.people) {
      return reject('limit_reached', 'This workspace has too many people; ask an administrator', {
        limit: 'people',
        max: LIMITS.people,
      });
    }
    const before = known ?? this.#newPerson(verified.subject, role);
    const person: StoredPerson = {
      ...before,
      subject: verified.subject,
      email: verified.email ?? before.email,
      name: before.name ?? verified.name,
      role,
      number: before.number + (role === before.role ? 0 : 1),
      status: 'active',
      lastSeenAt: this.#ports.now(),
    };
    return { ok: true, value: { before: known, person } };
  }

  hasAdmin(): boolean {
    return this.list().some(isActiveAdmin);
  }

  /** Call it in a transaction that revokes what the change ends. */
  put(person: StoredPerson, formerSubject = person.subject): void {
    const { store } = this.#ports;
    if (formerSubject !== person.subject) {
      store.people.remove(formerSubject);
      this.#all().delete(formerSubject);
    }
    store.people.put(person.subject, JSON.stringify(person));
    this.#all().set(person.subject, person);
  }

  save(person: StoredPerson, why: { readonly by: Settler; readonly change: string }): void {
    this.#ports.store.write(() => {
      this.put(person);
      this.note(person, why);
    });
  }

  note(
    { subject, role }: StoredPerson,
    { by, change }: { readonly by: Settler; readonly change: string },
  ): void {
    const { store, now } = this.#ports;
    const scopes = [...ROLE_SCOPES[role]];
    addOwnAudit(store, by, { at: now(), what: 'person', named: subject, change, scopes });
  }

  #newPerson(subject: string, role: Role): StoredPerson {
    const { freshId, now } = this.#ports;
    return {
      id: freshId(),
      subject,
      name: null,
      email: null,
      role,
      status: 'invited',
      number: 1,
      invitedBy: null,
      createdAt: now(),
      lastSeenAt: null,
      providedGroups: [],
    };
  }

  #isLastAdmin(person: StoredPerson): boolean {
    return isActiveAdmin(person) && this.list().filter(isActiveAdmin).length === 1;
  }

  #all(): Map<string, StoredPerson> {
    if (this.#stored !== null) return this.#stored;
    const read = this.#ports.store.people.list().flatMap((entry) => {
      const { data, error } = StoredPerson.safeParse(parseStored(entry));
      // A person who cannot be read cannot sign in, and the others can.
      if (data === undefined) this.#ports.warn('An entry of a person cannot be read', error);
      return data === undefined ? [] : [[data.subject, data] as const];
    });
    this.#stored = new Map(read);
    return this.#stored;
  }
}

interface Admission {
  /** Undefined: the person was not in the directory. */
  readonly before: StoredPerson | undefined;
  readonly person: StoredPerson;
}

export function credentialOf({ id, number }: StoredPerson): string {
  return `${rootOfPerson(id)}_${number}`;
}

function rootOfPerson(id: string): string {
  return `per_${id}`;
}

export function memberOf(person: StoredPerson): Member {
  const { subject, name, role, id } = person;
  return { subject, name, role, root: rootOfPerson(id), credential: credentialOf(person) };
}

export function viewPerson(person: StoredPerson, groups: readonly string[]): PersonView {
  const { subject, name, email, role, status, invitedBy, createdAt, lastSeenAt } = person;
  return {
    subject,
    name,
    email,
    role,
    groups: [...groups],
    status,
    invitedBy,
    createdAt,
    lastSeenAt,
  };
}

function isActiveAdmin({ role, status }: StoredPerson): boolean {
  return role === 'admin' && status === 'active';
}

function higherRole(one: Role | null, other: Role | null): Role | null {
  if (one === null || other === null) return one ?? other;
  return RANKS.indexOf(one) >= RANKS.indexOf(other) ? one : other;
}
