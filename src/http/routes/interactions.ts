/** Asking, and the outcome: open, look, wait, acknowledge, complete, cancel. */
import * as z from '../../protocol/schema/zod.ts';
import { COMMAND_SCOPES } from '../../core/authority.ts';
import {
  Acknowledge,
  openCommand,
  CancelByCall,
  CancelOne,
} from '../../protocol/schema/command.ts';
import { readCursor, writeCursor } from '../../protocol/schema/cursor.ts';
import { InteractionId, ToolCallId } from '../../protocol/schema/ids.ts';
import { InteractionView, JsonObjectSchema } from '../../protocol/schema/interaction.ts';
import { LIMITS } from '../../protocol/limits.ts';
import { findWhileValid } from '../authenticate.ts';
import { HELD_INPUT_LIMITS } from '../body.ts';
import { InputFile, sendInput } from '../send-input.ts';
import { respondInPlace } from '../root-places.ts';
import { Cancelled, readResponse, commandResponse, route, INTERACTIONS_TAG } from '../route.ts';
import {
  openAndWait,
  outcomeWait,
  PREFER_WAIT,
  readPreferredWait,
  waitForOutcome,
} from '../streaming/long-poll.ts';
import { Before, InInteraction, InSession, PageSize, WholeNumber } from './params.ts';
import { InteractionReply, OpenBody } from './interaction-bodies.ts';

const WaitedReply = z
  .strictObject({ interaction: InteractionView, settled: z.boolean(), now: z.number() })
  .meta({ id: 'WaitedInteraction' });
const InteractionsPage = z
  .strictObject({ interactions: z.array(InteractionView), next: z.string().optional() })
  .meta({ id: 'InteractionsPage' });

const DecidedReply = z.strictObject({ decision: JsonObjectSchema }).meta({ id: 'DecidedReply' });
const SettledCursor = z.tuple([z.literal('settled'), z.number(), InteractionId]);

const WaitSeconds = WholeNumber.describe(
  `Seconds to wait for the outcome, at most ${LIMITS.waitSeconds}.`,
);
function waitedReply(interaction: InteractionView, now: number) {
  return { interaction, settled: interaction.status === 'settled', now };
}

export const interactionRoutes = [
  route({
    method: 'POST',
    path: '/v1/sessions/:id/interactions',
    operationId: 'openSessionInteraction',
    tag: INTERACTIONS_TAG,
    summary: 'Ask a person',
    description:
      'Idempotent by `toolCallId`: a repeated request returns the same interaction, open or settled. ' +
      'With `Prefer: wait=55` the response waits for the outcome and says whether it settled.',
    access: { in: 'session', anyOf: COMMAND_SCOPES['interaction.open'] },
    params: InSession,
    body: JsonObjectSchema,
    documentedBody: OpenBody,
    bodyLimits: HELD_INPUT_LIMITS,
    oddInput: ['input'],
    idempotent: true,
    responses: {
      201: {
        description: 'The interaction is open',
        schema: z.union([InteractionReply, WaitedReply]),
      },
      200: {
        description:
          'The interaction of an earlier request, or the decision of a rule or the mode without asking',
        schema: z.union([InteractionReply, WaitedReply, DecidedReply]),
      },
    },
    headers: [PREFER_WAIT],
    errorCodes: ['unknown_kind', 'too_large', 'limit_reached'],
    async handle(call) {
      const command = openCommand(call.body, call.inputText);
      if ('ok' in command) return command;
      const { context, ports, session } = call;
      const seconds = readPreferredWait(call.request);
      if (seconds === 0) return commandResponse(await session.handle(command, context), 201);
      const asked = await openAndWait({ command, context }, outcomeWait(call, seconds));
      if (!asked.ok) return asked;
      const { body } = asked;
      const reply = 'interaction' in body ? waitedReply(body.interaction, ports.now()) : body;
      return commandResponse({ ...asked, json: JSON.stringify(reply) }, 201);
    },
  }),
  route({
    method: 'GET',
    path: '/v1/sessions/:id/interactions',
    operationId: 'listSessionInteractions',
    tag: INTERACTIONS_TAG,
    summary: 'List open interactions, oldest first, or settled interactions, newest first',
    access: { in: 'session', anyOf: ['read'] },
    params: InSession,
    query: z.strictObject({
      status: z
        .enum(['open', 'settled'])
        .default('open')
        .describe('Open or settled interactions; `open` if left out.'),
      limit: PageSize.optional(),
      before: Before.optional(),
    }),
    responses: { 200: { description: 'One page', schema: InteractionsPage } },
    async handle({ session, identity, query }) {
      const { status, limit = LIMITS.pageDefault, before } = query;
      const cursor = readCursor(SettledCursor, before);
      if (!cursor.ok) return cursor;
      const [, settledAt, interactionId] = cursor.value ?? [];
      const from = settledAt !== undefined && interactionId !== undefined;
      const ask = { status, limit, ...(from && { before: { settledAt, interactionId } }) };
      return readResponse(
        await session.interactions(ask, identity.caller),
        ({ interactions, next }) => ({
          interactions,
          ...(next !== undefined && {
            next: writeCursor(['settled', next.settledAt, next.interactionId]),
          }),
        }),
      );
    },
  }),
  route({
    method: 'GET',
    path: '/v1/sessions/:id/interactions/:iid',
    operationId: 'getSessionInteraction',
    tag: INTERACTIONS_TAG,
    summary: 'Get an interaction; with `wait`, wait for its outcome',
    access: { in: 'session', anyOf: ['read', 'agent'] },
    params: InInteraction,
    query: z.strictObject({
      wait: WaitSeconds.optional(),
      toolCallId: ToolCallId.optional().describe(
        'The call that waits: the wait ends when another call of its agent has the interaction.',
      ),
    }),
    responses: { 200: { description: 'The interaction as it is now', schema: WaitedReply } },
    async handle(call) {
      const { session, identity, ports, params, query } = call;
      const seconds = Math.min(query.wait ?? 0, LIMITS.waitSeconds);
      const read =
        seconds > 0
          ? await waitForOutcome(params.iid, outcomeWait(call, seconds), query)
          : await session.interaction(params.iid, identity.caller);
      return readResponse(read, (interaction) => waitedReply(interaction, ports.now()));
    },
  }),
  route({
    method: 'GET',
    path: '/v1/sessions/:id/interactions/:iid/input',
    operationId: 'getSessionInteractionInput',
    tag: INTERACTIONS_TAG,
    summary: 'Download the exact input of an interaction, whole',
    description:
      'Canonical JSON, as the digests cover it; of an input that is too large for its record, with the SHA-256 in `wholeInput`.',
    access: { in: 'session', anyOf: ['read'] },
    params: InInteraction,
    responses: { 200: { description: 'The input, as a file', schema: InputFile } },
    handle: async ({ ports, identity, params, request }) =>
      respondInPlace('downloads', { caller: identity.caller, request }, (onEnd) =>
        sendInput(findWhileValid(identity, params.id, ports), params.iid, onEnd),
      ),
  }),
  route({
    method: 'DELETE',
    path: '/v1/sessions/:id/interactions/:iid',
    operationId: 'deleteSessionInteraction',
    tag: INTERACTIONS_TAG,
    summary: 'Cancel an interaction; an agent may cancel its own',
    access: { in: 'session', anyOf: COMMAND_SCOPES['interaction.cancel'] },
    params: InInteraction,
    body: CancelByCall,
    bodyOptional: true,
    responses: { 200: { description: 'Cancelled', schema: InteractionReply } },
    errorCodes: ['already_settled', 'reassigned'],
    async handle({ session, params, body, context }) {
      const command = { type: 'interaction.cancel', interactionId: params.iid, ...body } as const;
      return commandResponse(await session.handle(command, context), 200);
    },
  }),
  route({
    method: 'POST',
    path: '/v1/sessions/:id/interactions/cancel',
    operationId: 'cancelSessionInteractions',
    tag: INTERACTIONS_TAG,
    summary: 'Cancel every open interaction of the session',
    access: { in: 'session', anyOf: COMMAND_SCOPES['interactions.cancel'] },
    params: InSession,
    body: CancelOne,
    bodyOptional: true,
    idempotent: true,
    responses: { 200: { description: 'The number of cancelled interactions', schema: Cancelled } },
    handle: async ({ session, body, context }) =>
      commandResponse(await session.handle({ type: 'interactions.cancel', ...body }, context), 200),
  }),
  route({
    method: 'POST',
    path: '/v1/sessions/:id/interactions/:iid/complete',
    operationId: 'completeSessionInteraction',
    tag: INTERACTIONS_TAG,
    summary: 'Report that what a link was opened for has happened',
    description:
      'For a link with `awaitCompletion`, by the credential that opened it. Once a person has opened the link, this ' +
      'settles it; before that it is noted, and the opening settles it. A repeat changes nothing.',
    access: { in: 'session', anyOf: COMMAND_SCOPES['interaction.complete'] },
    params: InInteraction,
    idempotent: true,
    responses: {
      200: { description: 'Completed, or noted until it is opened', schema: InteractionReply },
    },
    errorCodes: ['already_settled', 'wrong_kind'],
    handle: async ({ session, params, context }) =>
      commandResponse(
        await session.handle({ type: 'interaction.complete', interactionId: params.iid }, context),
        200,
      ),
  }),
  route({
    method: 'POST',
    path: '/v1/sessions/:id/interactions/:iid/acknowledge',
    operationId: 'acknowledgeSessionInteraction',
    tag: INTERACTIONS_TAG,
    summary: 'Acknowledge the outcome, before acting on it',
    description:
      'For agents that name their instance (`agentInstance`). Of several calls that hold the same outcome, one may act: ' +
      'the one that has the interaction. A repeat by the same call changes nothing.',
    access: { in: 'session', anyOf: ['agent'] },
    params: InInteraction,
    body: Acknowledge,
    responses: { 200: { description: 'The call may act', schema: InteractionReply } },
    errorCodes: ['reassigned', 'still_open'],
    handle: async ({ session, params, body, identity }) =>
      readResponse(
        await session.acknowledge(params.iid, body.toolCallId, identity.caller),
        (interaction) => ({ interaction }),
      ),
  }),
];
