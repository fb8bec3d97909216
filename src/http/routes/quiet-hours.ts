/** Quiet hours of a person, in which no reminder is sent: one's own, and for administrators those of anyone. */
import * as z from 'zod';
import { settlerOf } from '../../protocol/caller.ts';
import type { Settler } from '../../protocol/schema/actor.ts';
import { Name } from '../../protocol/schema/name.ts';
import { QuietHours } from '../../protocol/schema/quiet-hours.ts';
import type { WorkspaceStub } from '../stubs.ts';
import { agentProblem, BY_ADMIN, BY_MEMBER } from './access.ts';
import { PEOPLE_TAG, route, type RouteResult } from '../route.ts';

const HoursOfPerson = z.strictObject({
  subject: Name.meta({ description: 'The subject of the person.', example: 'ana' }),
});
const HoursReply = z
  .strictObject({ quietHours: QuietHours.nullable().describe('Null: there are none.') })
  .meta({ id: 'QuietHoursReply' });

const HOURS_SHOWN = { 200: { description: 'The quiet hours', schema: HoursReply } };
const HOURS_REMOVED = { 204: { description: 'Removed, or there were none' } };
const ABOUT =
  'Reminders to targets of this person wait until the quiet hours end, unless the request expires before. Requests, escalations, updates and resolutions do not wait.';

const QUIET_HOURS = 'Quiet hours';

async function show(workspace: WorkspaceStub, subject: string): Promise<RouteResult> {
  return { status: 200, json: { quietHours: await workspace.quietHours(subject) } };
}

async function set(
  workspace: WorkspaceStub,
  subject: string,
  { hours, by }: { readonly hours: QuietHours; readonly by: Settler },
): Promise<RouteResult> {
  const changed = await workspace.setQuietHours(subject, hours, by);
  return changed.ok ? { status: 200, json: { quietHours: hours } } : changed;
}

async function remove(
  workspace: WorkspaceStub,
  subject: string,
  by: Settler,
): Promise<RouteResult> {
  const changed = await workspace.setQuietHours(subject, null, by);
  return changed.ok ? new Response(null, { status: 204 }) : changed;
}

export const quietHoursRoutes = [
  route({
    method: 'GET',
    path: '/v1/me/quiet-hours',
    operationId: 'getQuietHours',
    tag: PEOPLE_TAG,
    summary: 'Show your quiet hours',
    access: BY_MEMBER,
    responses: HOURS_SHOWN,
    handle: async ({ workspace, identity }) =>
      agentProblem(identity, QUIET_HOURS) ?? show(workspace, identity.caller.subject),
  }),
  route({
    method: 'PUT',
    path: '/v1/me/quiet-hours',
    operationId: 'setQuietHours',
    tag: PEOPLE_TAG,
    summary: 'Set your quiet hours',
    description: ABOUT,
    access: BY_MEMBER,
    body: QuietHours,
    responses: HOURS_SHOWN,
    errorCodes: ['limit_reached'],
    async handle({ workspace, identity, body: hours }) {
      const { caller } = identity;
      return (
        agentProblem(identity, QUIET_HOURS) ??
        set(workspace, caller.subject, { hours, by: settlerOf(caller) })
      );
    },
  }),
  route({
    method: 'DELETE',
    path: '/v1/me/quiet-hours',
    operationId: 'deleteQuietHours',
    tag: PEOPLE_TAG,
    summary: 'Remove your quiet hours; reminders that wait are sent',
    access: BY_MEMBER,
    responses: HOURS_REMOVED,
    async handle({ workspace, identity }) {
      const { caller } = identity;
      return (
        agentProblem(identity, QUIET_HOURS) ?? remove(workspace, caller.subject, settlerOf(caller))
      );
    },
  }),
  route({
    method: 'GET',
    path: '/v1/people/:subject/quiet-hours',
    operationId: 'getQuietHoursOf',
    tag: PEOPLE_TAG,
    summary: 'Show the quiet hours of a person',
    access: BY_ADMIN,
    params: HoursOfPerson,
    responses: HOURS_SHOWN,
    handle: ({ workspace, params }) => show(workspace, params.subject),
  }),
  route({
    method: 'PUT',
    path: '/v1/people/:subject/quiet-hours',
    operationId: 'setQuietHoursOf',
    tag: PEOPLE_TAG,
    summary: 'Set the quiet hours of a person',
    description: ABOUT,
    access: BY_ADMIN,
    params: HoursOfPerson,
    body: QuietHours,
    responses: HOURS_SHOWN,
    errorCodes: ['limit_reached'],
    handle: ({ workspace, params, identity, body: hours }) =>
      set(workspace, params.subject, { hours, by: settlerOf(identity.caller) }),
  }),
  route({
    method: 'DELETE',
    path: '/v1/people/:subject/quiet-hours',
    operationId: 'deleteQuietHoursOf',
    tag: PEOPLE_TAG,
    summary: 'Remove the quiet hours of a person; reminders that wait are sent',
    access: BY_ADMIN,
    params: HoursOfPerson,
    responses: HOURS_REMOVED,
    handle: ({ workspace, params, identity }) =>
      remove(workspace, params.subject, settlerOf(identity.caller)),
  }),
];
