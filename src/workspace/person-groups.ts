/** The groups of one person: as an administrator sets them, and as the login provider names them at a sign-in. */
import { type Rejection, reject } from '../protocol/errors.ts';
import type { Settler } from '../protocol/schema/actor.ts';
import type { Groups } from './groups.ts';
import type { StoredPerson } from './people.ts';
import type { WorkspacePorts } from './ports.ts';

interface PersonGroupsPorts extends Pick<WorkspacePorts, 'warn'> {
  readonly groups: Groups;
}

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
