/** The directory of people: who is in the workspace, with which role, invitations, and what ends when a person leaves. */
import * as z from '../../protocol/schema/zod.ts';
import { provesPerson, settlerOf } from '../../protocol/caller.ts';
import { reject } from '../../protocol/errors.ts';
import { LIMITS } from '../../protocol/limits.ts';
import { Name } from '../../protocol/schema/name.ts';
import {
  InvitePerson,
  PersonEnds,
  type PersonView,
  PersonView as PersonSchema,
  UpdatePerson,
  Role,
} from '../../protocol/schema/person.ts';
import { sealInvitation } from '../login/browser-login.ts';
import { originOf } from '../login/own-origin.ts';
import type { HttpPorts, Identity } from '../ports.ts';
import { inThousands, PEOPLE_TAG, readResponse, route, BY_ADMIN } from '../route.ts';
import { membershipOf } from '../../core/audience.ts';
import { Scope } from '../../protocol/schema/actor.ts';
import { GroupView, PutGroup } from '../../protocol/schema/audience-rule.ts';
import { GroupName } from '../../protocol/schema/audience.ts';

const OfPerson = z.strictObject({
  subject: Name.meta({ description: 'The subject of the person.', example: 'ana@example.com' }),
});
const PeopleList = z.strictObject({ people: z.array(PersonSchema) }).meta({ id: 'PeopleList' });
const PersonReply = z.strictObject({ person: PersonSchema }).meta({ id: 'PersonReply' });
const PersonDetails = z
  .strictObject({ person: PersonSchema, ends: PersonEnds })
  .meta({ id: 'PersonDetails' });
const InvitedReply = z
  .strictObject({
    person: PersonSchema,
    link: z
      .string()
      .nullable()
      .describe(
        'Hands out a token of the person once, within a week. Null where people sign in with a login, and for an admin.',
      ),
  })
  .meta({ id: 'InvitedPerson' });
const AdminLink = z
  .strictObject({ link: z.string(), expiresAt: z.number() })
  .meta({ id: 'AdminLink' });
const Names = z
  .strictObject({ names: z.record(z.string(), z.string()) })
  .meta({ id: 'PeopleNames' });
const RemovedPerson = z.strictObject({ ended: PersonEnds }).meta({ id: 'RemovedPerson' });

const NO_ADMIN_LOGIN = reject('not_found', 'This server has no login to become administrator with');

export const directoryRoutes = [
  route({
    method: 'GET',
    path: '/v1/people',
    operationId: 'listPeople',
    tag: PEOPLE_TAG,
    summary: 'List the people of the workspace, newest first',
    description: `All of them in one reply: a workspace has at most ${inThousands(LIMITS.people)}.`,
    access: BY_ADMIN,
    responses: { 200: { description: 'The people, also removed ones', schema: PeopleList } },
    handle: async ({ workspace }) => ({ status: 200, json: { people: await workspace.people() } }),
  }),
  route({
    method: 'POST',
    path: '/v1/people',
    operationId: 'invitePerson',
    tag: PEOPLE_TAG,
    summary: 'Invite a person by email address',
    description:
      'The person becomes active with the first sign-in under this address. Nothing is sent: give the person the address of this server, or the link.',
    access: BY_ADMIN,
    body: InvitePerson,
    responses: { 201: { description: 'The person, invited', schema: InvitedReply } },
    errorCodes: ['limit_reached', 'person_exists'],
    async handle({ workspace, body, identity, ports, request }) {
      const invited = await workspace.invitePerson(body, settlerOf(identity.caller));
      if (!invited.ok) return invited;
      if (body.groups !== undefined) await ports.audiences.refresh(identity.workspace);
      const link = invitationLink(invited.value, { ports, identity, url: request.url });
      return { status: 201, json: { person: invited.value, link } };
    },
  }),
  route({
    method: 'GET',
    path: '/v1/people/:subject',
    operationId: 'getPerson',
    tag: PEOPLE_TAG,
    summary: 'Show a person, and what ends when they are removed',
    access: BY_ADMIN,
    params: OfPerson,
    responses: { 200: { description: 'The person', schema: PersonDetails } },
    handle: async ({ workspace, params }) =>
      readResponse(await workspace.person(params.subject), (details) => details),
  }),
  route({
    method: 'PATCH',
    path: '/v1/people/:subject',
    operationId: 'updatePerson',
    tag: PEOPLE_TAG,
    summary: 'Change the role, the name or the groups of a person',
    description:
      'A new role ends the connections and tokens that had the former one; the person goes on with the new one.',
    access: BY_ADMIN,
    params: OfPerson,
    body: UpdatePerson,
    responses: { 200: { description: 'The person', schema: PersonReply } },
    errorCodes: ['last_admin', 'limit_reached'],
    async handle({ workspace, params, body, identity, ports }) {
      const by = settlerOf(identity.caller);
      const updated = await workspace.updatePerson(params.subject, body, by);
      await refreshPeople(ports, identity.workspace);
      return readResponse(updated, (person) => ({ person }));
    },
  }),
  route({
    method: 'DELETE',
    path: '/v1/people/:subject',
    operationId: 'removePerson',
    tag: PEOPLE_TAG,
    summary: 'Remove a person, and end everything they have',
    description:
      'Sign-ins, tokens, devices and open connections end at once. The person stays listed, and can be invited again.',
    access: BY_ADMIN,
    params: OfPerson,
    responses: { 200: { description: 'What ended', schema: RemovedPerson } },
    errorCodes: ['last_admin'],
    async handle({ workspace, params, identity, ports }) {
      const removed = await workspace.removePerson(params.subject, settlerOf(identity.caller));
      await refreshPeople(ports, identity.workspace);
      return readResponse(removed, (ended) => ({ ended }));
    },
  }),
  route({
    method: 'POST',
    path: '/v1/people/admin-link',
    operationId: 'createAdminLink',
    tag: PEOPLE_TAG,
    summary: 'Create a link with which the person who signs in next becomes an administrator',
    description: 'Good for one sign-in within an hour, where the deployment has a login.',
    access: BY_ADMIN,
    responses: { 201: { description: 'The link, shown once', schema: AdminLink } },
    async handle({ ports, identity, request }) {
      if (!hasLogin(ports)) return NO_ADMIN_LOGIN;
      const expiresAt = ports.now() + LIMITS.adminLinkMs;
      const invitation = { subject: null, role: 'admin' } as const;
      const link = writeLink(invitation, { ports, identity, url: request.url, expiresAt });
      return { status: 201, json: { link, expiresAt } };
    },
  }),
  route({
    method: 'GET',
    path: '/v1/names',
    operationId: 'listNames',
    tag: PEOPLE_TAG,
    summary: 'The names of people, by the subjects that decisions are recorded with',
    access: { in: 'workspace', anyOf: ['read'] },
    responses: { 200: { description: 'The names of people who have one', schema: Names } },
    handle: async ({ workspace }) => ({ status: 200, json: { names: await workspace.names() } }),
  }),
];

interface LinkMaker {
  readonly ports: HttpPorts;
  readonly identity: Identity;
  readonly url: string;
}

function hasLogin({ login }: HttpPorts): boolean {
  return login.provider !== undefined || login.access !== undefined;
}

function invitationLink({ subject, role }: PersonView, maker: LinkMaker): string | null {
  // No token carries `admin`, so a link cannot make an administrator where there is no login.
  if (hasLogin(maker.ports) || role === 'admin') return null;
  const expiresAt = maker.ports.now() + LIMITS.invitationMs;
  return writeLink({ subject, role }, { ...maker, expiresAt });
}

/** In the fragment: it reaches neither a server nor a log. */
function writeLink(
  { subject, role }: Pick<PersonView, 'role'> & { readonly subject: string | null },
  { ports, identity, url, expiresAt }: LinkMaker & { readonly expiresAt: number },
): string {
  const id = `inv_${ports.freshId()}`;
  const { workspace } = identity;
  const text = sealInvitation(ports, { id, workspace, subject, role }, expiresAt);
  return `${originOf(url)}/#invitation=${text}`;
}

/** This isolate follows its own change at once, and the others within a minute. */
async function refreshPeople(ports: HttpPorts, workspace: string): Promise<void> {
  await Promise.all([
    ports.members.refresh(workspace),
    ports.policy.refresh(workspace),
    ports.audiences.refresh(workspace),
  ]);
}

const OfGroup = z.strictObject({ group: GroupName });
const Me = z
  .strictObject({
    subject: z.string(),
    scopes: z.array(Scope),
    workspace: z.string(),
    provesPerson: z
      .boolean()
      .describe(
        'Whether an audience that names the subject or a group of it asks this credential.',
      ),
    groups: z
      .array(z.string())
      .describe('The groups of the subject, by name; none where nothing proves the person.'),
    name: z.string().nullable().describe('Of a person of the workspace who has one.'),
    role: Role.nullable().describe('Null for a credential that is no person of the workspace.'),
  })
  .meta({ id: 'Me' });
const GroupReply = z.strictObject({ group: GroupView }).meta({ id: 'GroupReply' });
const GroupsList = z.strictObject({ groups: z.array(GroupView) }).meta({ id: 'GroupsList' });

/** What a credential is to the workspace, and groups of people, which the audience of a request may name. */
export const peopleRoutes = [
  route({
    method: 'GET',
    path: '/v1/me',
    operationId: 'whoAmI',
    tag: PEOPLE_TAG,
    summary: 'Who this credential is',
    description:
      'An audience that names the subject or one of its groups asks this credential, if it proves that person. Groups follow a change within a minute.',
    access: { in: 'either', anyOf: ['read', 'answer', 'send', 'agent'] },
    responses: { 200: { description: 'The subject, its scopes and its groups', schema: Me } },
    async handle({ ports, identity }) {
      const { caller, workspace } = identity;
      const { subject, scopes } = caller;
      const { groups } = await ports.audiences.get(workspace);
      const own = membershipOf({ groups, targetNames: {} }, caller).groups;
      const isPerson = provesPerson(caller);
      const names = isPerson ? own : [];
      const members = await ports.members.get(workspace);
      const member = isPerson ? members.find((one) => one.subject === subject) : undefined;
      const { name = null, role = null } = member ?? {};
      const who = { subject, scopes, workspace, provesPerson: isPerson };
      return { status: 200, json: { ...who, groups: names, name, role } };
    },
  }),
  route({
    method: 'GET',
    path: '/v1/groups',
    operationId: 'listGroups',
    tag: PEOPLE_TAG,
    summary: 'List the groups of the workspace',
    access: BY_ADMIN,
    responses: { 200: { description: 'The groups, by name', schema: GroupsList } },
    handle: async ({ workspace }) => ({
      status: 200,
      json: { groups: await workspace.groups() },
    }),
  }),
  route({
    method: 'PUT',
    path: '/v1/groups/:group',
    operationId: 'setGroup',
    tag: PEOPLE_TAG,
    summary: 'Make a group, or replace its members; sessions follow within a minute',
    description:
      'Members are subjects, compared exactly. Who is a member at the time of an answer may answer.',
    access: BY_ADMIN,
    params: OfGroup,
    body: PutGroup,
    responses: { 200: { description: 'The group', schema: GroupReply } },
    errorCodes: ['limit_reached'],
    async handle({ workspace, params, body, identity, ports }) {
      const by = settlerOf(identity.caller);
      const changed = await workspace.putGroup(params.group, body.subjects, by);
      if (changed.ok) await ports.audiences.refresh(identity.workspace);
      return readResponse(changed, (group) => ({ group }));
    },
  }),
  route({
    method: 'DELETE',
    path: '/v1/groups/:group',
    operationId: 'deleteGroup',
    tag: PEOPLE_TAG,
    summary: 'Delete a group',
    description:
      'An open request for the group alone is then left to administrators, as long as no group has the name again.',
    access: BY_ADMIN,
    params: OfGroup,
    responses: { 204: { description: 'Deleted' } },
    async handle({ workspace, params, identity, ports }) {
      const deleted = await workspace.deleteGroup(params.group, settlerOf(identity.caller));
      if (!deleted.ok) return deleted;
      await ports.audiences.refresh(identity.workspace);
      return new Response(null, { status: 204 });
    },
  }),
];
