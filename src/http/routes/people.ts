/** What a credential is to the workspace, and groups of people, which the audience of a request may name. */
import * as z from 'zod';
import { settlerOf } from '../../protocol/caller.ts';
import { Scope } from '../../protocol/schema/actor.ts';
import { GroupName } from '../../protocol/schema/audience.ts';
import { GroupView, PutGroup } from '../../protocol/schema/audience-rule.ts';
import { Role } from '../../protocol/schema/person.ts';
import { BY_ADMIN } from './access.ts';
import { PEOPLE_TAG, readResponse, route } from '../route.ts';

const OfGroup = z.strictObject({ group: GroupName });
const Me = z
  .strictObject({
    subject: z.string(),
    scopes: z.array(Scope),
    workspace: z.string(),
    groups: z.array(z.string()).describe('The groups of the subject, by name.'),
    name: z.string().nullable().describe('Of a person of the workspace who has one.'),
    role: Role.nullable().describe('Null for a credential that is no person of the workspace.'),
  })
  .meta({ id: 'Me' });
const GroupReply = z.strictObject({ group: GroupView }).meta({ id: 'GroupReply' });
const GroupsList = z.strictObject({ groups: z.array(GroupView) }).meta({ id: 'GroupsList' });

export const peopleRoutes = [
  route({
    method: 'GET',
    path: '/v1/me',
    operationId: 'whoAmI',
    tag: PEOPLE_TAG,
    summary: 'Who this credential is',
    description:
      'An audience that names the subject or one of its groups asks this credential. Groups follow a change within a minute.',
    access: { in: 'either', anyOf: ['read', 'answer', 'send', 'agent'] },
    responses: { 200: { description: 'The subject, its scopes and its groups', schema: Me } },
    async handle({ ports, identity }) {
      const { caller, workspace } = identity;
      const { subject, scopes } = caller;
      const { groups } = await ports.audiences.get(workspace);
      const own = groups.filter(({ subjects }) => subjects.includes(subject));
      const names = own.map(({ name }) => name);
      const members = await ports.members.get(workspace);
      const member = members.find((one) => one.subject === subject);
      const { name = null, role = null } = member ?? {};
      return { status: 200, json: { subject, scopes, workspace, groups: names, name, role } };
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
