/**
 * The routes of interactions: ask, look, wait, acknowledge, answer, cancel, complete, extend, undo, withdraw, claim, hand over.
 * The file is long because each route stands with its documentation.
 */
import * as z from 'zod';
import { COMMAND_SCOPES } from '../../core/authority.ts';
import {
  Acknowledge,
  ClaimRequest,
  HandOver,
  openCommand,
  CancelByCall,
  CancelOne,
  DecideBatch,
} from '../../protocol/schema/command.ts';
import { batchCommand } from '../../core/tool-call-answers.ts';
import { readCursor, writeCursor } from '../../protocol/schema/cursor.ts';
import { FrameError } from '../../protocol/schema/frame.ts';
import { InteractionId, ToolCallId } from '../../protocol/schema/ids.ts';
import {
  InteractionView,
  JsonObjectSchema,
  OpenCommon,
} from '../../protocol/schema/interaction.ts';
import { LIMITS } from '../../protocol/limits.ts';
import type { HandleResult } from '../../session/session.ts';
import { HELD_INPUT_LIMITS } from '../body.ts';
import { InputFile, sendInput } from '../send-input.ts';
import {
  ANSWER_CODES,
  ANSWER_REFUSALS,
  Cancelled,
  readResponse,
  commandResponse,
  route,
  INTERACTIONS_TAG,
} from '../route.ts';
import {
  openAndWait,
  outcomeWait,
  PREFER_WAIT,
  readPreferredWait,
  waitForOutcome,
} from '../streaming/long-poll.ts';
import { Before, InInteraction, InSession, PageSize, WholeNumber } from './params.ts';
import { KINDS } from '../../core/kinds/index.ts';

/**
 * The bodies that open and answer an interaction, as the reference describes them: every known kind in
 * full. A body that opens an interaction is one flat object: the common fields and the fields of its kind.
 * The routes require only an object; the session checks the common fields, and the kind checks the rest.
 */
const namedKinds = [...KINDS.values()].map((kind) => ({
  kind,
  /** `plan_review` → `PlanReview`: the schemas of a kind are `OpenPlanReview`, `AnswerPlanReview`. */
  name: kind.name.replace(/(?:^|_)([a-z])/g, (_match, letter: string) => letter.toUpperCase()),
}));

const openBodies = namedKinds.map(({ kind, name }) =>
  z
    .strictObject({
      ...OpenCommon,
      kind: z.literal(kind.name),
      ...kind.request.shape,
    })
    .meta({ id: `Open${name}` }),
);
const answerBodies = namedKinds.map(({ kind, name }) => kind.answer.meta({ id: `Answer${name}` }));

const OpenBody = z
  .discriminatedUnion('kind', openBodies as [(typeof openBodies)[number], ...typeof openBodies])
  .meta({
    id: 'OpenInteraction',
    description: 'By `kind`: the fields of every kind, and its own.',
  });
/** Two kinds may accept the same answer, such as a decline; so `anyOf`, not `oneOf`. */
const AnswerBody = z
  .union(answerBodies as [z.ZodType, ...z.ZodType[]])
  .meta({ id: 'AnswerInteraction', description: 'By the kind of the interaction.' });

const InteractionReply = z
  .strictObject({ interaction: InteractionView })
  .meta({ id: 'InteractionReply' });
const WaitedReply = z
  .strictObject({ interaction: InteractionView, settled: z.boolean(), now: z.number() })
  .meta({ id: 'WaitedInteraction' });
const InteractionsPage = z
  .strictObject({ interactions: z.array(InteractionView), next: z.string().optional() })
  .meta({ id: 'InteractionsPage' });

const DecidedReply = z.strictObject({ decision: JsonObjectSchema }).meta({ id: 'DecidedReply' });
/** Of the batches here and in the inbox. */
export const DecideResults = z
  .strictObject({
    results: z.array(
      z.discriminatedUnion('ok', [
        z.strictObject({ ok: z.literal(true), interaction: InteractionView }),
        z.strictObject({ ok: z.literal(false), error: FrameError }),
      ]),
    ),
  })
  .meta({ id: 'DecideResults' });
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
      const seconds = readPreferredWait(call.http.req.raw);
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
          ? await waitForOutcome(params.iid, outcomeWait(call, seconds), query.toolCallId)
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
    handle: async ({ ports, identity, params }) =>
      sendInput(() => ports.findSession(identity.workspace, params.id), params.iid),
  }),
  route({
    method: 'POST',
    path: '/v1/sessions/:id/interactions/:iid/answer',
    operationId: 'answerSessionInteraction',
    tag: INTERACTIONS_TAG,
    summary: 'Answer an interaction; the first answer wins',
    description:
      'Any answer may carry `inputDigest`, the digest of the input that the person saw. If the input ' +
      'has changed since, the answer is refused with `input_changed`.',
    access: { in: 'session', anyOf: COMMAND_SCOPES['interaction.answer'] },
    params: InInteraction,
    body: JsonObjectSchema,
    documentedBody: AnswerBody,
    idempotent: true,
    responses: {
      200: { description: 'Answered, or at its next step', schema: InteractionReply },
      ...ANSWER_REFUSALS,
    },
    errorCodes: ANSWER_CODES,
    async handle({ session, params, body, context }) {
      const target = { interactionId: params.iid };
      const command = { type: 'interaction.answer', target, answer: body } as const;
      return commandResponse(await session.handle(command, context), 200);
    },
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
    path: '/v1/sessions/:id/interactions/decide',
    operationId: 'decideSessionInteractions',
    tag: INTERACTIONS_TAG,
    summary: 'Answer several interactions; a refused answer does not stop the others',
    access: { in: 'session', anyOf: COMMAND_SCOPES['interaction.answer'] },
    params: InSession,
    body: DecideBatch,
    idempotent: true,
    responses: {
      200: { description: 'One result for each answer, in their order', schema: DecideResults },
    },
    async handle({ session, body, context }) {
      // Each decision has its own result, but an unknown session is one 404.
      const exists = await session.snapshot();
      if (!exists.ok) return exists;
      const results = await session.handleEach(body.decisions.map(batchCommand), context);
      return { status: 200, json: { results: results.map(batchResult) } };
    },
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
  route({
    method: 'POST',
    path: '/v1/sessions/:id/interactions/:iid/extend',
    operationId: 'extendSessionInteraction',
    tag: INTERACTIONS_TAG,
    summary: 'Extend the deadline once, by the original time',
    access: { in: 'session', anyOf: COMMAND_SCOPES['interaction.extend'] },
    params: InInteraction,
    idempotent: true,
    responses: { 200: { description: 'Extended', schema: InteractionReply } },
    errorCodes: ['already_settled', 'already_extended'],
    handle: async ({ session, params, context }) =>
      commandResponse(
        await session.handle({ type: 'interaction.extend', interactionId: params.iid }, context),
        200,
      ),
  }),
  route({
    method: 'POST',
    path: '/v1/sessions/:id/interactions/:iid/undo',
    operationId: 'undoSessionInteraction',
    tag: INTERACTIONS_TAG,
    summary: 'Take a decision back, while no agent has it',
    description:
      'By the person who decided or an administrator, for ten minutes, while no agent has the outcome or waits, and ' +
      'nothing followed from it. The same is asked again as a new interaction, which is the reply: `undoes` says what was ' +
      'taken back. The decided one becomes `superseded` by it. A rule and a mode that came with the decision go too.',
    access: { in: 'session', anyOf: COMMAND_SCOPES['interaction.undo'] },
    params: InInteraction,
    idempotent: true,
    responses: { 200: { description: 'The request that is open again', schema: InteractionReply } },
    errorCodes: ['not_undoable', 'still_open', 'limit_reached'],
    handle: async ({ session, params, context }) =>
      commandResponse(
        await session.handle({ type: 'interaction.undo', interactionId: params.iid }, context),
        200,
      ),
  }),
  route({
    method: 'POST',
    path: '/v1/sessions/:id/interactions/:iid/withdraw',
    operationId: 'withdrawSessionInteractionVote',
    tag: INTERACTIONS_TAG,
    summary: 'Withdraw an approval, while those of others are missing',
    description:
      'Where `quorum` asks for several people. The approval of the caller counts no longer, and the request stays open.',
    access: { in: 'session', anyOf: COMMAND_SCOPES['interaction.withdraw'] },
    params: InInteraction,
    idempotent: true,
    responses: {
      200: { description: 'The request without this approval', schema: InteractionReply },
    },
    errorCodes: ['already_settled', 'no_vote'],
    handle: async ({ session, params, context }) =>
      commandResponse(
        await session.handle({ type: 'interaction.withdraw', interactionId: params.iid }, context),
        200,
      ),
  }),
  route({
    method: 'POST',
    path: '/v1/sessions/:id/interactions/:iid/claim',
    operationId: 'claimSessionInteraction',
    tag: INTERACTIONS_TAG,
    summary: 'Say that you look at a request, or with `release` no longer',
    description:
      'Advice for others, who may answer all the same. It ends by itself after five minutes, with an answer, or when ' +
      'another person claims the request.',
    access: { in: 'session', anyOf: COMMAND_SCOPES['interaction.claim'] },
    params: InInteraction,
    body: ClaimRequest,
    bodyOptional: true,
    idempotent: true,
    responses: { 200: { description: 'Claimed, or released', schema: InteractionReply } },
    errorCodes: ['already_settled', 'limit_reached'],
    handle: async ({ session, params, body, context }) =>
      commandResponse(
        await session.handle(
          { type: 'interaction.claim', interactionId: params.iid, ...body },
          context,
        ),
        200,
      ),
  }),
  route({
    method: 'POST',
    path: '/v1/sessions/:id/interactions/:iid/handover',
    operationId: 'handOverSessionInteraction',
    tag: INTERACTIONS_TAG,
    summary: 'Hand a request over: others are asked in place of those who are asked now',
    description:
      'By one of those who are asked, or an administrator. The request is announced to the targets of those who are asked ' +
      'now, and the change is in the audit list. Who counts for a `quorum` stays.',
    access: { in: 'session', anyOf: COMMAND_SCOPES['interaction.handover'] },
    params: InInteraction,
    body: HandOver,
    idempotent: true,
    responses: { 200: { description: 'Handed over', schema: InteractionReply } },
    errorCodes: ['already_settled', 'limit_reached'],
    handle: async ({ session, params, body, context }) =>
      commandResponse(
        await session.handle(
          { type: 'interaction.handover', interactionId: params.iid, ...body },
          context,
        ),
        200,
      ),
  }),
];

function batchResult(result: HandleResult) {
  if (result.ok) return { ok: true, ...result.body };
  const { code, message, details } = result;
  return { ok: false, error: { code, message, ...(details !== undefined && { details }) } };
}
