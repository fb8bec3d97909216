/** The short forms by tool call, for clients that know nothing of interaction ids. */
import * as z from 'zod';
import { COMMAND_SCOPES } from '../../core/authority.ts';
import { reject } from '../../protocol/error.ts';
import { ToolCallId } from '../../protocol/ids.ts';
import { JsonObjectSchema } from '../../protocol/interaction.ts';
import { type JsonObject } from '../../protocol/json.ts';
import { LIMITS } from '../../protocol/limits.ts';
import { handled } from '../answers.ts';
import { type Answer, type Route, route } from '../route.ts';
import { InSession } from './params.ts';

const OK = '{"ok":true}';

interface ShortForm {
  readonly name: string;
  readonly summary: string;
  readonly kinds: readonly string[];
  readonly missing: string;
  readonly required: readonly string[];
  readonly hint: string;
  readonly body: z.ZodObject;
  readonly answer: (body: JsonObject) => JsonObject;
}

const FORMS: readonly ShortForm[] = [
  {
    name: 'submit-answers',
    summary: 'Answer a question',
    kinds: ['question'],
    missing: 'No pending question',
    required: ['toolCallId', 'answers'],
    hint: 'toolCallId and answers are required',
    body: z.strictObject({ toolCallId: ToolCallId, answers: JsonObjectSchema }),
    answer: ({ answers }) => ({ answers: answers ?? {} }),
  },
  {
    name: 'approve',
    summary: 'Approve a tool call',
    kinds: ['approval'],
    missing: 'No pending approval',
    required: ['toolCallId'],
    hint: 'toolCallId is required',
    body: z.strictObject({ toolCallId: ToolCallId }),
    answer: () => ({ decision: 'approve' }),
  },
  {
    name: 'deny',
    summary: 'Deny a tool call',
    kinds: ['approval'],
    missing: 'No pending approval',
    required: ['toolCallId'],
    hint: 'toolCallId is required',
    body: z.strictObject({
      toolCallId: ToolCallId,
      reason: z.string().max(LIMITS.reasonChars).optional(),
    }),
    answer: ({ reason }) => ({ decision: 'deny', ...(reason !== undefined && { reason }) }),
  },
];

function shortForm(form: ShortForm, prefix: string): Route {
  return route({
    method: 'POST',
    path: `${prefix}/sessions/:id/${form.name}`,
    tag: 'Short forms',
    summary: form.summary,
    access: { in: 'session', anyOf: COMMAND_SCOPES['interaction.answer'] },
    params: InSession,
    body: z
      .custom<JsonObject>((value) => hasAll(value, form.required), form.hint)
      .pipe(form.body as unknown as z.ZodType<JsonObject, JsonObject>),
    shown: form.body,
    idempotent: true,
    answers: {
      200: { description: 'Done', schema: z.strictObject({ ok: z.literal(true) }) },
      404: { description: form.missing },
      409: { description: 'Already settled' },
    },
    async handle({ session, body, context }): Promise<Answer> {
      const { toolCallId } = body;
      if (typeof toolCallId !== 'string') return reject('invalid_request', form.hint);
      const result = await session.handle(
        {
          type: 'interaction.answer',
          target: { toolCallId, kinds: form.kinds, missing: form.missing },
          answer: form.answer(body),
        },
        context,
      );
      return result.ok ? handled({ ...result, json: OK }, 200) : result;
    },
  });
}

function hasAll(value: unknown, names: readonly string[]): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return names.every((name) => Object.hasOwn(value, name));
}

export const shortFormRoutes = ['/v1', '/api'].flatMap((prefix) =>
  FORMS.map((form) => shortForm(form, prefix)),
);
