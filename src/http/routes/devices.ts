/** How a person is notified: the devices for push while no page is open, and the quiet hours without reminders. */
import * as z from '../../protocol/schema/zod.ts';
import { mayAct, settlerOf } from '../../protocol/caller.ts';
import { reject } from '../../protocol/errors.ts';
import { CreateDevice, DeviceView } from '../../protocol/schema/device.ts';
import { DeliveryView } from '../../protocol/schema/target.ts';
import type { DeviceOwner } from '../../workspace/devices.ts';
import { originOf } from '../login/own-origin.ts';
import type { Identity } from '../ports.ts';
import {
  DEVICES_TAG,
  readResponse,
  route,
  personProblem,
  BY_ADMIN,
  BY_MEMBER,
  PEOPLE_TAG,
  type RouteResult,
} from '../route.ts';
import type { Settler } from '../../protocol/schema/actor.ts';
import { Name } from '../../protocol/schema/name.ts';
import { QuietHours } from '../../protocol/schema/quiet-hours.ts';
import type { WorkspaceStub } from '../stubs.ts';

const OfDevice = z.strictObject({
  deviceId: z
    .string()
    .regex(/^tgt_[A-Za-z0-9]{1,64}$/)
    .meta({ description: 'The device.', example: 'tgt_example' }),
});
const DeviceReply = z.strictObject({ device: DeviceView }).meta({ id: 'DeviceReply' });
const DevicesList = z
  .strictObject({
    devices: z.array(DeviceView),
    publicKey: z.string().describe('The `applicationServerKey` to subscribe with.'),
  })
  .meta({ id: 'DevicesList' });
const TestedDevice = z.strictObject({ delivery: DeliveryView }).meta({ id: 'TestedDevice' });

const PERSON = { in: 'either', anyOf: ['read', 'answer'] } as const;

const UNKNOWN_DEVICE = reject('not_found', 'You have no such device');

/** A device shows what waits for people and sends their answers: nothing that may act as an agent has one. */
const DEVICES = 'Devices';

/** A push service must be able to write to the operator; a server on one machine has no address for that. */
const LOCAL_CONTACT = 'mailto:holdpoint@localhost';

function ownerOf(
  { caller, chain, expiresAt, session, workspace }: Identity,
  url: string,
): DeviceOwner {
  const origin = originOf(url);
  const { credential, key, root } = caller;
  return {
    made: {
      by: settlerOf(caller),
      maker: {
        credential,
        ...(key !== undefined && { key }),
        ...(root !== undefined && { root }),
      },
      workspace,
      origin,
    },
    contact: origin.startsWith('https:') ? origin : LOCAL_CONTACT,
    session,
    mayRead: mayAct(caller, 'read'),
    mayAnswer: mayAct(caller, 'answer'),
    chain: [...chain],
    expiresAt,
  };
}

export const deviceRoutes = [
  route({
    method: 'POST',
    path: '/v1/devices',
    operationId: 'createDevice',
    tag: DEVICES_TAG,
    summary: 'Be notified on this device',
    description:
      'The same subscription again is the same device, with the rights of the present token. It ends with the token.',
    access: PERSON,
    body: CreateDevice,
    responses: { 201: { description: 'The device', schema: DeviceReply } },
    errorCodes: ['limit_reached'],
    async handle({ workspace, body, identity, request }) {
      const problem = personProblem(identity, DEVICES);
      if (problem !== undefined) return problem;
      const vapid = await workspace.vapidKeys();
      const made = await workspace.createDevice(body, ownerOf(identity, request.url), vapid);
      return made.ok ? { status: 201, json: { device: made.value } } : made;
    },
  }),
  route({
    method: 'GET',
    path: '/v1/devices',
    operationId: 'listDevices',
    tag: DEVICES_TAG,
    summary: 'List the devices of this person',
    access: PERSON,
    responses: { 200: { description: 'The devices, without their keys', schema: DevicesList } },
    async handle({ workspace, identity }) {
      const problem = personProblem(identity, DEVICES);
      if (problem !== undefined) return problem;
      const { publicKey } = await workspace.vapidKeys();
      const devices = await workspace.devices(identity.caller.subject);
      return { status: 200, json: { devices, publicKey } };
    },
  }),
  route({
    method: 'DELETE',
    path: '/v1/devices/:deviceId',
    operationId: 'deleteDevice',
    tag: DEVICES_TAG,
    summary: 'End the notifications of a device',
    access: PERSON,
    params: OfDevice,
    responses: { 204: { description: 'Removed' } },
    async handle({ workspace, params, identity }) {
      const problem = personProblem(identity, DEVICES);
      if (problem !== undefined) return problem;
      const removed = await workspace.removeDevice(params.deviceId, settlerOf(identity.caller));
      return removed.ok ? new Response(null, { status: 204 }) : removed;
    },
  }),
  route({
    method: 'POST',
    path: '/v1/devices/:deviceId/test',
    operationId: 'testDevice',
    tag: DEVICES_TAG,
    summary: 'Send a test notification, and wait for the response of the push service',
    access: PERSON,
    params: OfDevice,
    responses: { 200: { description: 'What became of it', schema: TestedDevice } },
    async handle({ workspace, ports, params, identity }) {
      const problem = personProblem(identity, DEVICES);
      if (problem !== undefined) return problem;
      const known = await workspace.device(params.deviceId, identity.caller.subject);
      if (!known.ok) return known;
      const target = await ports.findTarget(params.deviceId);
      if (target === undefined) return UNKNOWN_DEVICE;
      return readResponse(await target.test(), (delivery) => ({ delivery }));
    },
  }),
];

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

/** Quiet hours of a person, in which no reminder is sent: one's own, and for administrators those of anyone. */
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
      personProblem(identity, QUIET_HOURS) ?? show(workspace, identity.caller.subject),
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
        personProblem(identity, QUIET_HOURS) ??
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
        personProblem(identity, QUIET_HOURS) ?? remove(workspace, caller.subject, settlerOf(caller))
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
