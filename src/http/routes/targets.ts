/** Targets of the workspace and their deliveries. */
import * as z from '../../protocol/schema/zod.ts';
import { answerKey } from '../../core/delivery/webhook-signature.ts';
import { hashText } from '../../core/digest.ts';
import { settlerOf } from '../../protocol/caller.ts';
import { type Rejection, reject } from '../../protocol/errors.ts';
import { LIMITS } from '../../protocol/limits.ts';
import {
  CreateTarget,
  DeliveryView,
  Redelivered,
  RedeliverSince,
  TargetView,
  UpdateTarget,
} from '../../protocol/schema/target.ts';
import { originOf } from '../login/own-origin.ts';
import type { CreatedTarget } from '../../workspace/targets.ts';
import type { Identity } from '../ports.ts';
import type { TargetStub } from '../stubs.ts';
import {
  BY_ADMIN,
  inThousands,
  readResponse,
  route,
  type RouteCall,
  TARGETS_TAG,
} from '../route.ts';
import { Before, OfDelivery, PageSize, TargetId } from './params.ts';

const OfTarget = z.strictObject({ targetId: TargetId });

const Secret = {
  secret: z
    .string()
    .exactOptional()
    .describe(
      'Signs deliveries, and answers that the receiver posts. Absent where the settings of the target hold its secrets.',
    ),
  key: z
    .string()
    .exactOptional()
    .describe('In place of a signature, as a bearer token; it changes with the secret.'),
};
const TargetReply = z.strictObject({ target: TargetView }).meta({ id: 'TargetReply' });
const TargetWithSecret = z
  .strictObject({ target: TargetView, ...Secret })
  .meta({ id: 'TargetWithSecret' });
const TargetsList = z.strictObject({ targets: z.array(TargetView) }).meta({ id: 'TargetsList' });
const DeliveryReply = z.strictObject({ delivery: DeliveryView }).meta({ id: 'DeliveryReply' });
const DeliveriesPageBody = z
  .strictObject({
    deliveries: z.array(DeliveryView),
    next: z.string().optional(),
    failingSince: z
      .number()
      .optional()
      .describe('The first failure since the last success, tests aside. Absent after a success.'),
  })
  .meta({ id: 'DeliveriesPage' });

const UNKNOWN = reject('not_found', 'There is no such target');

const withSecret = ({ target, secret }: CreatedTarget) => ({
  target,
  ...(secret !== undefined && { secret, key: answerKey(secret) }),
});
const deliveryReply = (delivery: DeliveryView) => ({ delivery });

/** Only for a target of the caller's workspace: an id alone does not say whose it is. */
async function withTarget<Result>(
  { workspace, ports, params }: TargetCall,
  work: (target: TargetStub) => Promise<Result>,
): Promise<Result | Rejection> {
  const known = await workspace.target(params.targetId);
  if (!known.ok) return known;
  const target = await ports.findTarget(params.targetId);
  return target === undefined ? UNKNOWN : work(target);
}

type TargetCall = Pick<
  RouteCall<{ readonly targetId: string }, unknown, unknown>,
  'workspace' | 'ports' | 'params'
>;

function makerOf({ caller }: Identity) {
  const { credential, key, root } = caller;
  return {
    credential,
    ...(key !== undefined && { key }),
    ...(root !== undefined && { root }),
  };
}

export const targetRoutes = [
  route({
    method: 'POST',
    path: '/v1/targets',
    operationId: 'createTarget',
    tag: TARGETS_TAG,
    summary: 'Create a target: a webhook or a channel that receives announcements',
    access: BY_ADMIN,
    body: CreateTarget,
    idempotent: true,
    responses: {
      201: { description: 'The target and its secret, shown once', schema: TargetWithSecret },
    },
    errorCodes: ['limit_reached'],
    async handle({ workspace, body, identity, context, request, ports }) {
      const { idempotency, caller } = context;
      const name = idempotency && hashText(`${caller.credential}|${idempotency.key}`);
      const by = settlerOf(identity.caller);
      const created = await workspace.createTarget(
        body,
        {
          by,
          maker: makerOf(identity),
          workspace: identity.workspace,
          origin: originOf(request.url),
        },
        name,
      );
      if (!created.ok) return created;
      await ports.audiences.refresh(identity.workspace);
      return { status: 201, json: withSecret(created.value) };
    },
  }),
  route({
    method: 'GET',
    path: '/v1/targets',
    operationId: 'listTargets',
    tag: TARGETS_TAG,
    summary: 'List the targets of the workspace',
    description: `All of them in one reply: a workspace has at most ${inThousands(LIMITS.targets)}, beside the devices of people.`,
    access: BY_ADMIN,
    responses: { 200: { description: 'The targets, without their secrets', schema: TargetsList } },
    handle: async ({ workspace }) => ({
      status: 200,
      json: { targets: await workspace.targets() },
    }),
  }),
  route({
    method: 'GET',
    path: '/v1/targets/:targetId',
    operationId: 'getTarget',
    tag: TARGETS_TAG,
    summary: 'Get a target',
    access: BY_ADMIN,
    params: OfTarget,
    responses: { 200: { description: 'The target, without its secret', schema: TargetReply } },
    handle: async ({ workspace, params }) =>
      readResponse(await workspace.target(params.targetId), (target) => ({ target })),
  }),
  route({
    method: 'PATCH',
    path: '/v1/targets/:targetId',
    operationId: 'updateTarget',
    tag: TARGETS_TAG,
    summary: 'Change a target, disable it, or enable it again',
    access: BY_ADMIN,
    params: OfTarget,
    body: UpdateTarget,
    responses: { 200: { description: 'The changed target', schema: TargetReply } },
    async handle({ workspace, params, body, identity, ports }) {
      const by = settlerOf(identity.caller);
      const updated = await workspace.updateTarget(params.targetId, body, by, makerOf(identity));
      if (updated.ok) await ports.audiences.refresh(identity.workspace);
      return readResponse(updated, (target) => ({ target }));
    },
  }),
  route({
    method: 'DELETE',
    path: '/v1/targets/:targetId',
    operationId: 'deleteTarget',
    tag: TARGETS_TAG,
    summary: 'Delete a target and its deliveries',
    access: BY_ADMIN,
    params: OfTarget,
    responses: { 204: { description: 'Deleted' } },
    async handle({ workspace, params, identity }) {
      const deleted = await workspace.deleteTarget(params.targetId, settlerOf(identity.caller));
      return deleted.ok ? new Response(null, { status: 204 }) : deleted;
    },
  }),
  route({
    method: 'POST',
    path: '/v1/targets/:targetId/test',
    operationId: 'testTarget',
    tag: TARGETS_TAG,
    summary: 'Send a test message, and wait for the response of the receiver',
    access: BY_ADMIN,
    params: OfTarget,
    responses: { 200: { description: 'What became of it', schema: DeliveryReply } },
    async handle(call) {
      const tested = await withTarget(call, (target) => target.test());
      return readResponse(tested, deliveryReply);
    },
  }),
  route({
    method: 'POST',
    path: '/v1/targets/:targetId/rotate',
    operationId: 'rotateTargetSecret',
    tag: TARGETS_TAG,
    summary: 'Create another secret; for a day both are in force',
    access: BY_ADMIN,
    params: OfTarget,
    responses: { 200: { description: 'The new secret, shown once', schema: TargetWithSecret } },
    handle: async ({ workspace, params, identity }) =>
      readResponse(
        await workspace.rotateTargetSecret(params.targetId, settlerOf(identity.caller)),
        withSecret,
      ),
  }),
  route({
    method: 'GET',
    path: '/v1/targets/:targetId/deliveries',
    operationId: 'listTargetDeliveries',
    tag: TARGETS_TAG,
    summary: 'List deliveries, newest first',
    description: 'With the last attempt of each, and the beginning of the response.',
    access: BY_ADMIN,
    params: OfTarget,
    query: z.strictObject({ limit: PageSize.optional(), before: Before.optional() }),
    responses: { 200: { description: 'One page', schema: DeliveriesPageBody } },
    async handle(call) {
      const page = await withTarget(call, (target) => target.deliveries(call.query));
      return readResponse(page, (deliveries) => deliveries);
    },
  }),
  route({
    method: 'POST',
    path: '/v1/targets/:targetId/deliveries/redeliver',
    operationId: 'redeliverSince',
    tag: TARGETS_TAG,
    summary: 'Send again what has ended since a time, at most 10,000 deliveries',
    access: BY_ADMIN,
    params: OfTarget,
    body: RedeliverSince,
    responses: {
      200: {
        description: 'How many are sent again, and whether more is left',
        schema: Redelivered,
      },
    },
    async handle(call) {
      const sent = await withTarget(call, (target) => target.redeliverSince(call.body));
      return readResponse(sent, (redelivered) => redelivered);
    },
  }),
  route({
    method: 'POST',
    path: '/v1/targets/:targetId/deliveries/:deliveryId/redeliver',
    operationId: 'redeliver',
    tag: TARGETS_TAG,
    summary: 'Send one delivery again',
    access: BY_ADMIN,
    params: OfDelivery,
    responses: { 200: { description: 'The delivery', schema: DeliveryReply } },
    async handle(call) {
      const { deliveryId } = call.params;
      const sent = await withTarget(call, (target) => target.redeliver(deliveryId));
      return readResponse(sent, deliveryReply);
    },
  }),
];
