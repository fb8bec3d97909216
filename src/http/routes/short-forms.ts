/** Answers by tool call, as routes; older clients find them under `/api`. */
import { isObject } from '../../protocol/guards.ts';
import * as z from 'zod';
import { COMMAND_SCOPES } from '../../core/authority.ts';
import {
  APPROVE,
  DENY,
  type ShortAnswer,
  type ShortForm,
  shortCommand,
  SUBMIT_ANSWERS,
} from '../../core/tool-call-answers.ts';
import {
  commandResponse,
  type RouteResult,
  type HttpRoute,
  route,
  SHORT_FORMS_TAG,
} from '../route.ts';
import { InSession } from './params.ts';

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

export const shortFormRoutes = ['/v1', OLDER_PREFIX].flatMap((prefix) =>
  SHORT_ROUTES.map((form) => shortRoute(form, prefix)),
);
