/** What people do with a request: answer, extend, claim, hand over, undo, withdraw. */
import * as z from '../../protocol/schema/zod.ts';
import { COMMAND_SCOPES } from '../../core/authority.ts';
import { ClaimRequest, HandOver, DecideBatch } from '../../protocol/schema/command.ts';
import {
  batchCommand,
  APPROVE,
  DENY,
  type ShortAnswer,
  type ShortForm,
  shortCommand,
  SUBMIT_ANSWERS,
} from '../../core/tool-call-answers.ts';
import { JsonObjectSchema } from '../../protocol/schema/interaction.ts';
import type { HandleResult } from '../../session/command-result.ts';
import {
  ANSWER_CODES,
  ANSWER_REFUSALS,
  commandResponse,
  route,
  INTERACTIONS_TAG,
  type RouteResult,
  type HttpRoute,
  SHORT_FORMS_TAG,
} from '../route.ts';
import { isObject } from '../../protocol/types.ts';
import { InInteraction, InSession } from './params.ts';
import { AnswerBody, DecideResults, InteractionReply } from './interaction-bodies.ts';

export const answeringRoutes = [
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

const ShortFormReply = z.strictObject({ ok: z.literal(true) }).meta({ id: 'ShortFormReply' });
/** The prefix for clients that are older than the versions of this API. */
const OLDER_PREFIX = '/api';
const OK = '{"ok":true}';

interface ShortRoute {
  readonly name: string;
  readonly operationId: string;
  readonly summary: string;
  readonly form: ShortForm;
  readonly required: readonly string[];
  readonly hint: string;
}

const SHORT_ROUTES: readonly ShortRoute[] = [
  {
    name: 'submit-answers',
    operationId: 'submitAnswers',
    summary: 'Answer a question',
    form: SUBMIT_ANSWERS,
    required: ['toolCallId', 'answers'],
    hint: 'toolCallId and answers are required',
  },
  {
    name: 'approve',
    operationId: 'approveTool',
    summary: 'Approve a tool call',
    form: APPROVE,
    required: ['toolCallId'],
    hint: 'toolCallId is required',
  },
  {
    name: 'deny',
    operationId: 'denyTool',
    summary: 'Deny a tool call',
    form: DENY,
    required: ['toolCallId'],
    hint: 'toolCallId is required',
  },
];

function shortRoute({ form, ...described }: ShortRoute, prefix: string): HttpRoute {
  const { name, operationId, summary, required, hint } = described;
  return route({
    method: 'POST',
    path: `${prefix}/sessions/:id/${name}`,
    tag: SHORT_FORMS_TAG,
    ...(prefix === OLDER_PREFIX ? { unlisted: true } : { operationId }),
    summary,
    access: { in: 'session', anyOf: COMMAND_SCOPES['interaction.answer'] },
    params: InSession,
    body: z
      .custom<ShortAnswer>((value) => hasAll(value, required), hint)
      .pipe(form.body as z.ZodType<ShortAnswer, ShortAnswer>),
    documentedBody: form.body,
    idempotent: true,
    responses: {
      200: { description: 'Done', schema: ShortFormReply },
      404: { description: form.missing },
      409: {
        description: 'Already settled, or `inputDigest` is not the digest of the current input',
      },
    },
    errorCodes: ['invalid_answer', 'already_settled', 'input_changed'],
    async handle({ session, body, context }): Promise<RouteResult> {
      const result = await session.handle(shortCommand(form, body), context);
      return result.ok ? commandResponse({ ...result, json: OK }, 200) : result;
    },
  });
}

/** Older clients expect one sentence for every missing field: left out, null or blank. */
function hasAll(value: unknown, names: readonly string[]): boolean {
  if (!isObject(value)) return false;
  return names.every((name) => {
    const given = Object.hasOwn(value, name) ? value[name] : null;
    return given !== null && (typeof given !== 'string' || given.trim() !== '');
  });
}

/** Answers by tool call, as routes; older clients find them under `/api`. */
export const shortFormRoutes = ['/v1', OLDER_PREFIX].flatMap((prefix) =>
  SHORT_ROUTES.map((form) => shortRoute(form, prefix)),
);
