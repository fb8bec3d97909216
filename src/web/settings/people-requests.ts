/** The requests of the pages about people: the directory, groups, sign-ins and tokens. */
import { readPart } from '../../client/requests/http-calls.ts';
import type { GroupView } from '../../protocol/schema/audience-rule.ts';
import type { PersonEnds, PersonView, Role, SignInView } from '../../protocol/schema/person.ts';
import type { TokenView } from '../../protocol/schema/workspace.ts';
import type { Person } from '../model/person.ts';
import { serverCalls } from '../server-calls.ts';

export interface PersonDraft {
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  readonly groups: readonly string[];
}

export interface OwnCredentials {
  readonly signIns: readonly SignInView[];
  readonly tokens: readonly TokenView[];
  readonly current: string;
}

export interface PeopleRequests {
  people(): Promise<readonly PersonView[]>;
  groups(): Promise<readonly GroupView[]>;
  /** Resolves with the link that lets the person in; null where the person signs in with the login. */
  invite(draft: PersonDraft): Promise<string | null>;
  update(subject: string, draft: PersonDraft): Promise<void>;
  ends(subject: string): Promise<PersonEnds>;
  remove(subject: string): Promise<void>;
  /** Resolves with the invitation that makes the person who signs in next an administrator. */
  adminInvitation(): Promise<string>;
  saveGroup(name: string, subjects: readonly string[]): Promise<void>;
  deleteGroup(name: string): Promise<void>;
  own(): Promise<OwnCredentials>;
  endOwnSignIn(id: string): Promise<void>;
  endOtherSignIns(): Promise<void>;
  deleteOwnToken(id: string): Promise<void>;
  signIns(): Promise<readonly SignInView[]>;
  endSignIn(id: string): Promise<void>;
}

export function serverPeople(person: Pick<Person, 'token'>): PeopleRequests {
  const calls = serverCalls(person);
  const at = (subject: string) => `/v1/people/${encodeURIComponent(subject)}`;
  const group = (name: string) => `/v1/groups/${encodeURIComponent(name)}`;
  const remove = async (path: string) => void (await calls.change('DELETE', path));
  return {
    people: async () => readPart(await calls.get('/v1/people'), 'people'),
    groups: async () => readPart(await calls.get('/v1/groups'), 'groups'),
    async invite({ email, name, role, groups }) {
      const asked = { email, role, ...(name !== '' && { name }), groups };
      return readPart(await calls.post('/v1/people', asked), 'link');
    },
    async update(subject, { name, role, groups }) {
      const changes = { name: name === '' ? null : name, role, groups };
      await calls.change('PATCH', at(subject), changes);
    },
    ends: async (subject) => readPart(await calls.get(at(subject)), 'ends'),
    remove: (subject) => remove(at(subject)),
    async adminInvitation() {
      const link = readPart<string>(await calls.post('/v1/people/admin-link'), 'link');
      return new URL(link).hash.slice('#invitation='.length);
    },
    async saveGroup(name, subjects) {
      await calls.change('PUT', group(name), { subjects });
    },
    deleteGroup: (name) => remove(group(name)),
    async own() {
      const reply = await calls.get('/v1/me/sign-ins');
      return {
        signIns: readPart(reply, 'signIns'),
        tokens: readPart(reply, 'tokens'),
        current: readPart(reply, 'current'),
      };
    },
    endOwnSignIn: (id) => remove(`/v1/me/sign-ins/${id}`),
    endOtherSignIns: () => remove('/v1/me/sign-ins'),
    deleteOwnToken: (id) => remove(`/v1/me/tokens/${id}`),
    signIns: async () => readPart(await calls.get('/v1/sign-ins'), 'signIns'),
    endSignIn: (id) => remove(`/v1/sign-ins/${id}`),
  };
}
