/**
 * Signing in: a verified person or one with an invitation is let in, and each browser in which they are signed in has a row
 * until its end.
 */
import * as z from '../protocol/schema/zod.ts';
import { type ReadResult, type Rejection, reject } from '../protocol/errors.ts';
import { LIMITS } from '../protocol/limits.ts';
import type { Settler } from '../protocol/schema/actor.ts';
import type { Member, SignInView } from '../protocol/schema/person.ts';
import { parseStoredObject } from './parse-stored.ts';
import {
  type GrantedRoles,
  memberOf,
  type PersonList,
  SEEN_EVERY_MS,
  type StoredPerson,
  type VerifiedPerson,
} from './people.ts';
import type { PersonAccess, PersonGroups } from './directory.ts';
import type { WorkspacePorts } from './ports.ts';
import type { StoredSignIn } from './store.ts';

/** Where a person signs in. */
export interface SignInPlace {
  readonly browser: string;
  readonly place: string | null;
}

/** What lets a person in: the settings of the deployment, or an invitation that names no person. */
export interface AdmissionRights extends GrantedRoles {
  readonly invitation?: string | undefined;
  /** The login of a browser that this is the return of; it counts once. */
  readonly login?: string | undefined;
}

/** A sign-in that has begun; the cookie of the browser names it. */
export interface NewSignIn {
  readonly id: string;
  readonly subject: string;
  readonly expiresAt: number;
}

const UNKNOWN_SIGN_IN = reject('not_found', 'There is no such sign-in');
const USED_INVITATION = reject(
  'link_expired',
  'This invitation was used already; ask for another one',
);
const USED_LOGIN = reject('unauthenticated', 'This login was finished already; begin it again');
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

interface SignInPorts extends Pick<WorkspacePorts, 'store' | 'now' | 'freshId'> {
  readonly people: PersonList;
  readonly access: PersonAccess;
  readonly groups: PersonGroups;
}

export class SignIns {
  readonly #ports: SignInPorts;

  constructor(ports: SignInPorts) {
    this.#ports = ports;
  }

  /** Begins a sign-in of a verified person. A new id each time: one that was known before is worth nothing after. */
  async begin(
    verified: VerifiedPerson,
    granted: AdmissionRights,
    where: SignInPlace,
  ): Promise<ReadResult<NewSignIn>> {
    const { store, freshId, now } = this.#ports;
    const { login } = granted;
    if (login !== undefined && store.revocations.has(login)) return USED_LOGIN;
    const admitted = await this.admit(verified, granted);
    if (!admitted.ok) return admitted;
    const { subject, credential } = admitted.value;
    const id = `sgn_${freshId()}`;
    const expiresAt = now() + LIMITS.signInMs;
    const entry = { ...where, createdAt: now(), usedAt: now() };
    const by: Settler = { subject, via: 'web', credential: id, key: credential };
    const crowded = this.#ports.access.change(() =>
      store.write(() => {
        store.signIns.removeExpired(now());
        if (login !== undefined) store.revocations.add(login, now(), now() + LIMITS.loginMs);
        const own = store.signIns.listOf(subject);
        const oldest = own.slice(0, Math.max(0, own.length + 1 - LIMITS.signIns));
        for (const one of oldest) this.#ports.access.endSignIn(one, by);
        store.signIns.put({ subject, id, expiresAt, entry: JSON.stringify(entry) });
        const found = this.#ports.people.find(subject);
        if (found.ok) this.#ports.people.note(found.value, { by, change: 'signed in' });
        return oldest.map((one) => one.id);
      }),
    );
    await this.#ports.access.closeConnections(crowded);
    return { ok: true, value: { id, subject, expiresAt } };
  }

  /** Lets a verified person in, if the directory or the settings do; the person is active after it. */
  async admit(verified: VerifiedPerson, granted: AdmissionRights): Promise<ReadResult<Member>> {
    const { store, now } = this.#ports;
    const { invitation } = granted;
    if (invitation !== undefined && store.revocations.has(invitation)) return USED_INVITATION;
    const admitted = this.#ports.people.admit(verified, granted);
    if (!admitted.ok) return admitted;
    const { before, person } = admitted.value;
    const by: Settler = { subject: person.subject, via: 'web' };
    const after = {
      ...person,
      providedGroups: this.#ports.groups.provided(verified.groups, person),
    };
    const ended = this.#ports.access.change(() =>
      store.write(() => {
        this.#ports.people.put(after, before?.subject);
        if (invitation !== undefined)
          store.revocations.add(invitation, now(), now() + LIMITS.invitationMs);
        if (before?.status !== 'active') {
          this.#ports.people.note(after, { by, change: `joined as ${after.role}` });
        } else if (before.role !== after.role) {
          this.#ports.people.note(after, { by, change: `${before.role} became ${after.role}` });
        }
        return before !== undefined && before.role !== after.role
          ? this.#ports.access.endRole(before, after, by)
          : [];
      }),
    );
    this.#ports.groups.move(before, after, verified.groups !== undefined, by);
    await this.#ports.access.closeConnections(ended);
    return { ok: true, value: memberOf(after) };
  }

  /**
   * Takes an invitation link, once, for a deployment without a login. The caller makes the token of the person.
   */
  acceptInvitation(invitation: string, subject: string): ReadResult<Member> {
    const { store, now } = this.#ports;
    if (store.revocations.has(invitation)) return USED_INVITATION;
    const found = this.#ports.people.find(subject);
    if (!found.ok || found.value.status !== 'invited') return ENDED_INVITATION;
    const person: StoredPerson = { ...found.value, status: 'active', lastSeenAt: now() };
    const by: Settler = { subject, via: 'link' };
    this.#ports.access.change(() =>
      store.write(() => {
        this.#ports.people.put(person);
        this.#ports.people.note(person, { by, change: `joined as ${person.role}` });
        store.revocations.add(invitation, now(), now() + LIMITS.invitationMs);
      }),
    );
    return { ok: true, value: memberOf(person) };
  }

  /** The member as the directory has them now, never a copy: for requests that change something. Null: no access. */
  checkMember(subject: string, signInId: string | null, place: string | null): Member | null {
    const { store, now } = this.#ports;
    const found = this.#ports.people.find(subject);
    if (!found.ok || found.value.status !== 'active') return null;
    const person = found.value;
    const signIn = store.signIns.listOf(subject).find(({ id }) => id === signInId);
    if (signInId !== null && (signIn === undefined || signIn.expiresAt <= now())) return null;
    if (now() - (person.lastSeenAt ?? 0) >= SEEN_EVERY_MS) {
      this.#ports.access.change(() =>
        store.write(() => {
          this.#ports.people.put({ ...person, lastSeenAt: now() });
        }),
      );
    }
    if (signIn !== undefined) this.#noteUse(signIn, place);
    return memberOf(person);
  }

  /** Of one person, or of all. The last one first. */
  list(subject: string | null): SignInView[] {
    const { store, now } = this.#ports;
    const all = subject === null ? store.signIns.list() : store.signIns.listOf(subject);
    return all
      .filter(({ expiresAt }) => expiresAt > now())
      .map(viewSignIn)
      .toSorted((one, other) => other.usedAt - one.usedAt);
  }

  /** Of this person; with null, of any. */
  async end(id: string, subject: string | null, by: Settler): Promise<{ ok: true } | Rejection> {
    const { store } = this.#ports;
    const found = store.signIns
      .list()
      .find((one) => one.id === id && (subject === null || one.subject === subject));
    if (found === undefined) return UNKNOWN_SIGN_IN;
    await this.#endAll([found], by);
    return { ok: true };
  }

  /** All sign-ins of the person but the one that asks; resolves with their number. */
  async endOthers(subject: string, kept: string, by: Settler): Promise<number> {
    const others = this.#ports.store.signIns.listOf(subject).filter(({ id }) => id !== kept);
    await this.#endAll(others, by);
    return others.length;
  }

  async #endAll(ended: readonly StoredSignIn[], by: Settler): Promise<void> {
    this.#ports.access.change(() =>
      this.#ports.store.write(() => {
        for (const one of ended) {
          this.#ports.access.endSignIn(one, by);
          const found = this.#ports.people.find(one.subject);
          if (found.ok) this.#ports.people.note(found.value, { by, change: 'signed out' });
        }
      }),
    );
    await this.#ports.access.closeConnections(ended.map(({ id }) => id));
  }

  #noteUse(signIn: StoredSignIn, place: string | null): void {
    const { store, now } = this.#ports;
    const entry = ReadableSignIn.parse(parseStoredObject(signIn.entry));
    if (entry.place === place && now() - entry.usedAt < SEEN_EVERY_MS) return;
    const text = JSON.stringify({ ...entry, place, usedAt: now() });
    store.write(() => store.signIns.put({ ...signIn, entry: text }));
  }
}

function viewSignIn({ subject, id, expiresAt, entry }: StoredSignIn): SignInView {
  return { id, subject, expiresAt, ...ReadableSignIn.parse(parseStoredObject(entry)) };
}
