/**
 * Groups of people, by name, for the audiences of requests.
 *
 * A person who left a group may still have its open requests on a screen: updates and resolutions of a request go to
 * former members too, so that what was shown is retired. They may no longer answer. A deleted group therefore stays as
 * an entry without members.
 */
import * as z from '../protocol/schema/zod.ts';
import type { Settler } from '../protocol/schema/actor.ts';
import type { GroupView } from '../protocol/schema/audience-rule.ts';
import { isSameName } from '../protocol/same-name.ts';
import { type ReadResult, type Rejection, reject } from '../protocol/errors.ts';
import { LIMITS } from '../protocol/limits.ts';
import { addOwnAudit } from './audit.ts';
import { parseStored } from './parse-stored.ts';
import type { WorkspacePorts } from './ports.ts';

const StoredGroups = z.array(
  z.object({
    name: z.string(),
    subjects: z.array(z.string()),
    former: z.array(z.string()),
    isDeleted: z.boolean(),
  }),
);
type StoredGroup = z.infer<typeof StoredGroups>[number];

/** Of one group, the newest: a request is seldom open for longer than so many people leave. */
const FORMER_MEMBERS = 100;
const UNKNOWN_GROUP = reject('not_found', 'There is no such group in this workspace');

export class Groups {
  readonly #ports: Pick<WorkspacePorts, 'store' | 'now' | 'warn'>;
  /** Read once and then kept: each announcement of a request for a group needs them. */
  #stored: readonly StoredGroup[] | null = null;

  constructor(ports: Pick<WorkspacePorts, 'store' | 'now' | 'warn'>) {
    this.#ports = ports;
  }

  list(): GroupView[] {
    return this.#all()
      .filter(({ isDeleted }) => !isDeleted)
      .map(({ name, subjects }) => ({ name, subjects }));
  }

  /** The groups that this person is in, or also those that the person was in. */
  namesOf(subject: string, how: { readonly withFormer: boolean }): string[] {
    const isPerson = (one: string) => isSameName(one, subject);
    return this.#all()
      .filter(
        ({ subjects, former }) =>
          subjects.some(isPerson) || (how.withFormer && former.some(isPerson)),
      )
      .map(({ name }) => name);
  }

  /** Makes the group, or replaces its members. */
  put(name: string, subjects: readonly string[], by: Settler): ReadResult<GroupView> {
    const all = this.#all();
    const known = all.find((group) => group.name === name);
    const others = all.filter((group) => group !== known);
    const members = [...new Set(subjects)];
    const live = others.filter(({ isDeleted }) => !isDeleted);
    const group: GroupView = { name, subjects: members };
    if (known?.isDeleted !== true && sameMembers(known?.subjects, members)) {
      return { ok: true, value: group };
    }
    if (live.length >= LIMITS.groups) return rejectTooMany('groups');
    const total = live.reduce((sum, one) => sum + one.subjects.length, members.length);
    if (total > LIMITS.groupMembers) return rejectTooMany('groupMembers');
    const change = known === undefined || known.isDeleted ? 'created' : 'updated';
    const named = describeGroupChange(known?.subjects ?? [], members);
    this.#save([...others, replaceMembers(known, group)], name, { by, change, named });
    return { ok: true, value: group };
  }

  delete(name: string, by: Settler): { ok: true } | Rejection {
    const all = this.#all();
    const known = all.find((group) => group.name === name && !group.isDeleted);
    if (known === undefined) return UNKNOWN_GROUP;
    const gone = { ...replaceMembers(known, { name, subjects: [] }), isDeleted: true };
    const others = all.filter((group) => group !== known);
    this.#save([...others, gone], name, { by, change: 'deleted' });
    return { ok: true };
  }

  #save(
    groups: readonly StoredGroup[],
    group: string,
    {
      by,
      change,
      named,
    }: { readonly by: Settler; readonly change: string; readonly named?: string },
  ): void {
    const { store, now } = this.#ports;
    const sorted = groups.toSorted((one, other) => (one.name < other.name ? -1 : 1));
    store.write(() => {
      store.saveList('groups', JSON.stringify(sorted));
      addOwnAudit(store, by, { at: now(), what: 'group', group, change, ...(named && { named }) });
    });
    this.#stored = sorted;
  }

  #all(): readonly StoredGroup[] {
    if (this.#stored !== null) return this.#stored;
    const text = this.#ports.store.list('groups');
    const parsed = StoredGroups.safeParse(text === undefined ? [] : parseStored(text));
    // Without groups fewer people may answer, and administrators still may.
    if (!parsed.success) this.#ports.warn('The groups of a workspace cannot be read', parsed.error);
    this.#stored = parsed.data ?? [];
    return this.#stored;
  }
}

const NAMED_AT_MOST = 50;

/** "+ana, -ben": who came and who left, for the audit list. */
function describeGroupChange(before: readonly string[], after: readonly string[]): string {
  const names = [
    ...after.filter((one) => !before.includes(one)).map((one) => `+${one}`),
    ...before.filter((one) => !after.includes(one)).map((one) => `-${one}`),
  ];
  const shown = names.slice(0, NAMED_AT_MOST);
  const more = names.length - shown.length;
  return [...shown, ...(more > 0 ? [`and ${more} more`] : [])].join(', ');
}

function sameMembers(known: readonly string[] | undefined, members: readonly string[]): boolean {
  return known !== undefined && JSON.stringify(known) === JSON.stringify(members);
}

function replaceMembers(
  known: StoredGroup | undefined,
  { name, subjects }: GroupView,
): StoredGroup {
  const earlier = [...(known?.subjects ?? []), ...(known?.former ?? [])];
  const former = earlier.filter((subject) => !subjects.includes(subject)).slice(0, FORMER_MEMBERS);
  return { name, subjects, former, isDeleted: false };
}

function rejectTooMany(limit: 'groups' | 'groupMembers'): Rejection {
  const message =
    limit === 'groups'
      ? 'This workspace has too many groups; delete one first'
      : 'The groups of this workspace have too many members together';
  return reject('limit_reached', message, { limit, max: LIMITS[limit] });
}
