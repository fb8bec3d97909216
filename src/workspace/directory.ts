/**
 * The people of a workspace, as administrators see and change them, and the end of what they have.
 *
 * A person who leaves or changes the role loses credentials in the same transaction. Connections are closed after it; a crash
 * in between is made up for by the rows (`revocations.ts`).
 */
import type { ReadResult, Rejection } from '../protocol/errors.ts';
import type { Settler } from '../protocol/schema/actor.ts';
import type {
  InvitePerson,
  Member,
  PersonEnds,
  PersonView,
  UpdatePerson,
} from '../protocol/schema/person.ts';
import type { TokenView } from '../protocol/schema/workspace.ts';
import type { CredentialEnds } from './credential-ends.ts';
import type { Groups } from './groups.ts';
import { PersonList, type StoredPerson, viewPerson } from './people.ts';
import { PersonAccess } from './person-access.ts';
import { PersonGroups } from './person-groups.ts';
import type { WorkspacePorts } from './ports.ts';
import { SignIns } from './sign-ins.ts';

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
